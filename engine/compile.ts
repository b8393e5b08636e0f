import { type Clamped, clamp } from "../clamp/clamp.ts"
import { type Cut, cut } from "../clamp/cut.ts"
import { freezeJson, type JsonObject } from "../effects/json.ts"
import { LEVEL_NAMES, type Level, lowest, rank, reaches } from "../effects/levels.ts"
import { compileCondition } from "../policy/logic/compile.ts"
import { ConditionError } from "../policy/logic/condition-error.ts"
import { compileMatcher, toolMatcher } from "../policy/match/matcher.ts"
import type { Phase } from "../policy/phases.ts"
import { isPoint, pointRow } from "../policy/points.ts"
import type { Grant, Hook } from "../policy/policy.ts"
import { rootsOf } from "../policy/roots.ts"
import { type CompiledRule, compileRule } from "./rule.ts"

/** One combination of ceilings, the same for all hooks of a moment. */
export interface Bounds {
  readonly caller: Level
  readonly daemon: Level
  readonly host: Level
  /** a number of its own for each combination, 0 where nothing is lowered: most engines never need another */
  readonly index: number
}

export const boundsOf = (caller: Level, daemon: Level, host: Level): Bounds => ({
  caller,
  daemon,
  host,
  index: (below(caller) * LEVEL_NAMES.length + below(daemon)) * LEVEL_NAMES.length + below(host),
})

const below = (level: Level): number => rank("run") - rank(level)

/** Nothing is lowered but by the phase. */
export const UNBOUND: Bounds = boundsOf("run", "run", "run")

/** A hook at one combination of ceilings. A rule that depends on nothing is cut once, here. */
export interface AtLevel {
  readonly clamped: Clamped
  readonly fixed?: Cut
  /** at `apply` or above: it may change the value, so it runs alone */
  readonly alone: boolean
  /** at `ask` or above: it may stop the operation, so it looks again after a rewrite */
  readonly refuses: boolean
  /** only the host keeps it from replacing something: what it would put there becomes a proposal */
  readonly proposes: boolean
}

/** Whether a hook's matchers hold; `failed`: its condition could not be evaluated. */
export type Match = "yes" | "no" | "failed"

/** A hook made ready: what costs something is done once, and only when an event first concerns it. */
export class CompiledHook {
  readonly hook: Hook
  /** its place in the declared order */
  readonly order: number
  readonly #tool: (server: string, tool: string) => boolean
  readonly #server: (server: string | undefined) => boolean
  readonly #kind: (kind: string | undefined) => boolean
  readonly #granted: (server: string | undefined, tool: string | undefined) => boolean
  readonly #levels: (AtLevel | undefined)[] = []
  #test: Test | undefined
  #rule: CompiledRule | undefined

  constructor(hook: Hook, order: number) {
    this.hook = hook
    this.order = order
    const { server, tool, kind } = hook.when ?? {}
    this.#server = server === undefined ? yes : tester(server)
    this.#kind = kind === undefined ? yes : tester(kind)
    this.#tool = tool === undefined ? yes : toolMatcher(tool).test
    this.#granted = hook.grant ? granted(hook.grant) : yes
  }

  get mayRefuse(): boolean {
    return rank(this.hook.effect) >= rank("ask")
  }

  /** The part of the match that depends on names alone: its answer is kept for each (server, tool, kind). */
  concerns(server: string | undefined, tool: string | undefined, kind: string | undefined): boolean {
    return (
      this.#server(server) && this.#kind(kind) && this.#tool(server ?? "", tool ?? "") && this.#granted(server, tool)
    )
  }

  /**
   * The part of the match that depends on the event itself. Whatever it throws, the answer is not "no": the caller decides
   * what a condition that cannot be evaluated means.
   */
  get test(): Test {
    this.#test ??= compileTests(this.hook)
    return this.#test
  }

  matches(event: JsonObject): Match {
    try {
      return this.test(event) ? "yes" : "no"
    } catch {
      return "failed"
    }
  }

  /** the rule, compiled when it is first asked for; undefined for every other action */
  get rule(): CompiledRule | undefined {
    if (this.#rule === undefined && this.hook.action.kind === "rule") {
      this.#rule = compileRule(this.hook.action.rule, rootsOf(this.hook.on))
    }
    return this.#rule
  }

  at(bounds: Bounds): AtLevel {
    this.#levels[bounds.index] ??= this.#cutAt(bounds)
    return this.#levels[bounds.index]!
  }

  #cutAt({ caller, daemon, host }: Bounds): AtLevel {
    const { effect, floor, phase, on, grant } = this.hook
    const within = grant ? lowest(daemon, grant.max) : daemon
    const clamped = clamp({ phase, effect, floor, caller, daemon: within, host, limit: limitOf(on, phase) })
    const alone = reaches(clamped.effect, "apply")
    const refuses = reaches(clamped.effect, "ask")
    const proposes = clamped.effect === "propose" && clamped.drop("apply")?.by.join() === "host"
    const fixed = this.rule?.fixed
    if (!fixed) return { clamped, alone, refuses, proposes }
    return { clamped, alone, refuses, proposes, fixed: freezeJson(cut(fixed.output, clamped, phase)) }
  }
}

const yes = () => true

/** INVARIANT: a manifest's hook is about tools, and of these about no other than its grant's (test/engine/manifest.test.ts). */
function granted({ server: own, on }: Grant): (server: string | undefined, tool: string | undefined) => boolean {
  const fits = on === undefined ? (server: string) => server === own : toolMatcher(on).test
  return (server, tool) => tool !== undefined && fits(server ?? "", tool)
}

/** The point's own limit in a phase; what is no point (an observe prefix) has none. */
const limitOf = (on: string, phase: Phase): Level =>
  isPoint(on) ? (pointRow(on).phases[phase]?.limit ?? "run") : "run"

const tester = (matcher: string | readonly string[]) => {
  const compiled = compileMatcher(matcher)
  return (value: string | undefined) => compiled.test(value)
}

const TEXT_FIELDS = ["session", "uri", "agent", "source"] as const

/** Whether the event itself is one that a hook is about. */
export type Test = (event: JsonObject) => boolean

/** All that is asked of the event itself, as one function. */
function compileTests({ when }: Hook): Test {
  if (!when) return yes
  const tests: Test[] = []
  for (const field of TEXT_FIELDS) {
    const matcher = when[field]
    if (matcher === undefined) continue
    const test = tester(matcher)
    tests.push((event) => test(text(event[field])))
  }
  for (const [path, matcher] of Object.entries(when.args ?? {})) {
    const test = tester(matcher)
    const read = reader(path)
    tests.push((event) => test(read(event.args)))
  }
  if (when.if !== undefined) tests.push(compileCondition(when.if))
  const [only] = tests
  if (tests.length <= 1) return only ?? yes
  return (event) => tests.every((test) => test(event))
}

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

/**
 * Reads an argument by its dotted path, own members only; numbers and booleans are matched as their JSON text.
 *
 * @throws ConditionError on a list or an object: no name fits it, and yet it may hold what a guard looks for.
 */
function reader(path: string): (args: unknown) => string | undefined {
  const names = path.split(".")
  return (args) => {
    let value = args
    for (const name of names) {
      if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined
      value = (value as JsonObject)[name]
    }
    if (typeof value === "number" || typeof value === "boolean") return String(value)
    if (typeof value === "object" && value !== null) throw new ConditionError(`the argument \`${path}\` is no text`)
    return text(value)
  }
}
