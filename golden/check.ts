import { HOST_NAMES, hostMoment, isHost } from "../dialects/hosts.ts"
import { isObject, type JsonObject } from "../effects/json.ts"
import { isLevel, LEVEL_NAMES } from "../effects/levels.ts"
import { checkEvent } from "../policy/events.ts"
import { nearest } from "../policy/nearest.ts"
import { isPhase, type Phase, showMoment } from "../policy/phases.ts"
import { isPoint } from "../policy/points.ts"
import type { Hook, Policy } from "../policy/policy.ts"
import type { CaseProblem } from "./issues.ts"
import type { CaseText } from "./schema.ts"

/** What a schema cannot say of a case. Ids are held against the policy, where it could be read. */
export function checkCase(text: CaseText, policy: Policy | undefined): CaseProblem[] {
  const hooks = policy?.hooks.filter((hook) => hook !== null)
  return [...host(text), ...event(text), ...operation(text), ...outputs(text, hooks), ...answers(text, hooks)]
}

function* host({ host: given, event: { on, phase = "before" } }: CaseText): Generator<CaseProblem> {
  if (typeof given !== "string" || isLevel(given)) return
  if (isHost(given)) {
    const fires = !isPhase(phase) || !isPoint(on) || hostMoment(given, on, phase) !== undefined
    const message = `\`${given}\` never fires ${showMoment(String(on), phase as Phase)}: no hook there would run`
    if (!fires) yield { path: ["host"], message }
    return
  }
  const near = nearest(given, [...HOST_NAMES, ...LEVEL_NAMES])
  const message = `\`host\` is an agent, a level or {name, max}, and \`${given}\` is none`
  const hint = near ? `did you mean \`${near}\`?` : `agents are ${HOST_NAMES.join(", ")}`
  yield { path: ["host"], message, hint }
}

function* event({ event: given, caller, operation: around }: CaseText): Generator<CaseProblem> {
  const fired: JsonObject = around === undefined ? given : { phase: "before", ...given }
  for (const message of checkEvent(fired)) yield { path: ["event"], message: `in \`event\`: ${message}` }
  if (around !== undefined && fired.phase !== "before") {
    const message = `with an \`operation\` the event's phase is \`before\`, not \`${String(fired.phase)}\``
    yield {
      path: ["event", "phase"],
      message,
      hint: "what follows comes of itself; without `operation` one moment is fired",
    }
  }
  if (given.caller === undefined) return
  const both = "the caller is said in `caller` and in `event.caller`"
  if (caller !== undefined) yield { path: ["event", "caller"], at: "key", message: both, hint: "keep one of them" }
  else if (!isObject(given.caller) || typeof given.caller.id !== "string") {
    yield { path: ["event", "caller"], message: "`event.caller` needs an `id`" }
  }
}

function* operation({ operation: given }: CaseText): Generator<CaseProblem> {
  if (given === undefined || Object.hasOwn(given, "result") !== Object.hasOwn(given, "error")) return
  yield { path: ["operation"], message: "`operation` is one of {result} and {error}" }
}

function* outputs({ outputs: given = {} }: CaseText, hooks: readonly Hook[] | undefined): Generator<CaseProblem> {
  for (const [id, output] of Object.entries(given)) {
    const path = ["outputs", id]
    if (output?.failed !== undefined && Object.keys(output).length > 1) {
      yield { path, message: `\`outputs.${id}\` is an output or a failure, not both`, hint: "`failed` stands alone" }
    }
    const hook = hooks?.find((one) => one.id === id)
    if (hook?.action.kind === "rule") {
      const message = `\`${id}\` is a rule, and rules always really run`
      yield { path, at: "key", message, hint: "leave its output out, or change the event" }
    } else if (hooks && !hook) yield unknownHook(path, id, hooks)
  }
}

function* answers({ answers: given = {} }: CaseText, hooks: readonly Hook[] | undefined): Generator<CaseProblem> {
  for (const id of Object.keys(given)) {
    if (hooks && !hooks.some((hook) => hook.id === id)) yield unknownHook(["answers", id], id, hooks)
  }
}

function unknownHook(path: CaseProblem["path"], id: string, hooks: readonly Hook[]): CaseProblem {
  const ids = hooks.map((hook) => hook.id)
  const near = nearest(id, ids)
  const hint = near
    ? `did you mean \`${near}\`?`
    : ids.length > 0
      ? `its hooks are ${ids.join(", ")}`
      : "it has no hooks"
  return { path, at: "key", message: `the policy has no hook \`${id}\``, hint }
}
