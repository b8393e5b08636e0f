import { isObject, type JsonObject } from "../effects/json.ts"
import { KEY_NAMES } from "../effects/keys.ts"
import type { Policy } from "../policy/policy.ts"
import type { Case } from "./case.ts"
import type { FrameDifference, MemberDifference } from "./compare.ts"

/** Whether running a case asks a model: a prompt of its policy has no output in it. */
export const asksModels = ({ policy, outputs }: Case): boolean =>
  promptsOf(policy).some((id) => !Object.hasOwn(outputs, id))

const promptsOf = ({ hooks }: Policy): string[] =>
  hooks.flatMap((hook) => {
    if (hook === null) return []
    const { action, id } = hook
    const steps =
      action.kind === "workflow" ? Object.values(action.steps).map((step) => step.action.kind) : [action.kind]
    return steps.includes("prompt") ? [id] : []
  })

/**
 * What differs in the verdicts of two runs, whatever their words: a model says the same thing differently each time. Looked
 * at are the outcome, and for each hook which keys counted, or why it had no say.
 */
export function compareVerdicts(golden: string, got: string): FrameDifference[] {
  const [expected, now] = [standings(golden), standings(got)]
  const names = [...new Set([...expected.keys(), ...now.keys()])]
  return names.flatMap((frame, at): FrameDifference[] => {
    const [before, after] = [expected.get(frame), now.get(frame)]
    if (before === after) return []
    const how = before === undefined ? "extra" : after === undefined ? "missing" : "changed"
    const member: MemberDifference = {
      path: "says",
      ...(before === undefined ? {} : { expected: before }),
      ...(after === undefined ? {} : { got: after }),
    }
    return [{ how, line: at + 1, frame, members: [member] }]
  })
}

/** What each hook came to, and the whole, in one word or two. */
function standings(text: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const line of text.trimEnd().split("\n")) {
    const frame: unknown = JSON.parse(line)
    if (!isObject(frame)) continue
    if (frame.type === "verdict") found.set("verdict", String(frame.outcome))
    if (frame.type === "hook") found.set(nameOf(frame), standingOf(frame))
  }
  return found
}

const nameOf = ({ hook, on, phase, recheck }: JsonObject): string =>
  `hook \`${String(hook)}\` in ${String(on)} ${String(phase)}${recheck ? ", rechecked" : ""}`

function standingOf(frame: JsonObject): string {
  if (isObject(frame.failed)) return `failed: ${String(frame.failed.kind)}`
  if (frame.skipped !== undefined) return `skipped: ${String(frame.skipped)}`
  const said = KEY_NAMES.filter((key) => frame[key] !== undefined || (key === "apply" && frame.changed === true))
  return said.join(" and ") || (frame.ran === undefined ? "nothing" : "run")
}
