import { nearest } from "../policy/nearest.ts"
import { showMoment } from "../policy/phases.ts"
import type { Hook, Policy } from "../policy/policy.ts"
import { callerOf } from "./caller.ts"
import type { Call } from "./command.ts"
import { printVerdict } from "./decide.ts"
import { withEngine } from "./engine.ts"
import { CommandError } from "./errors.ts"
import { readEvent } from "./event.ts"
import { hostIn } from "./host.ts"
import { policyOf } from "./policy.ts"
import { endWithHooks } from "./signals.ts"
import { EXIT_OF } from "./verdict.ts"

/** Runs one hook of the policy on an event, under the ceilings that are in force, and shows its frame. */
export async function run(call: Call): Promise<number> {
  const { given, io } = call
  const { policy } = await policyOf(call)
  const hook = hookOf(policy, call.args[0] ?? "")
  const event = readEvent(given.value("event"), io)
  if (hook.on !== event.on || hook.phase !== event.phase) {
    throw new CommandError(
      `\`${hook.id}\` is on ${showMoment(hook.on, hook.phase)}, and the event is of ${showMoment(event.on, event.phase)}`,
      "give it an event of its own point and phase",
    )
  }
  const caller = callerOf(given.value("caller"), event)
  const host = hostIn(given.value("host"), event)
  endWithHooks()
  return withEngine(call, { ...policy, hooks: [hook] }, { record: "never" }, async (engine) => {
    const options = { ...(caller ? { caller } : {}), ...(host ? { host } : {}) }
    const verdict = await engine.fire(event.on, event.phase, event, options)
    if (verdict.frames.length === 0) io.err.line(`detent: \`${hook.id}\` does not match this event`)
    await printVerdict(call, verdict)
    return EXIT_OF[verdict.outcome]
  })
}

function hookOf({ hooks }: Policy, id: string): Hook {
  const found = hooks.filter((hook) => hook !== null && hook.id === id) as Hook[]
  if (found.length === 1) return found[0]!
  if (found.length > 1) {
    throw new CommandError(
      `\`${id}\` is the id of ${found.length} hooks`,
      "name the policy with --policy, or change an id",
    )
  }
  const ids = hooks.flatMap((hook) => (hook === null ? [] : [hook.id]))
  const near = nearest(id, ids)
  const known = ids.length === 0 ? "there are no hooks" : `the hooks are ${ids.join(", ")}`
  throw new CommandError(`no hook \`${id}\` is in force here`, near === undefined ? known : `did you mean \`${near}\`?`)
}
