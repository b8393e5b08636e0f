import { createHash, randomUUID } from "node:crypto"
import type { ActionRunner, Ports } from "../engine/ports.ts"
import { type CompiledRule, compileRule } from "../engine/rule.ts"
import type { Action } from "../policy/policy.ts"
import { rootsOf, STEPS } from "../policy/roots.ts"

/** The parts of the world that need no setting: a clock, a timer, hashes and ids. */
export const nodePorts = {
  // As quick as `performance.now()`, whose module takes a millisecond to load: much, for a process that decides once.
  now() {
    const [seconds, nanoseconds] = process.hrtime()
    return seconds * 1e3 + nanoseconds / 1e6
  },
  after(ms: number, fn: () => void) {
    const timer = setTimeout(fn, ms)
    return () => clearTimeout(timer)
  },
  id: () => randomUUID(),
  sha256: (text: string) => createHash("sha256").update(text).digest("hex"),
  abort: () => new AbortController(),
} satisfies Omit<Ports, "actions">

type RuleAction = Extract<Action, { kind: "rule" }>

/** The `rule` steps of workflows; a hook's own rule is compiled by the engine. */
export function ruleSteps(): ActionRunner<"rule"> {
  const compiled = new WeakMap<RuleAction, CompiledRule>()
  return {
    async run(action, event, { hook }) {
      let rule = compiled.get(action)
      if (!rule) {
        rule = compileRule(action.rule, [...rootsOf(hook.on), STEPS])
        compiled.set(action, rule)
      }
      return { output: rule.output(event) }
    },
  }
}
