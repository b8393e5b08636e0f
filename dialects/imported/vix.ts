import type { JsonObject } from "../../effects/json.ts"
import type { Finding } from "../../policy/findings.ts"
import { vixEvent } from "../vix/events.ts"
import { matchesAll } from "../vix/matcher.ts"
import { readSpec, type VixHook } from "../vix/spec.ts"
import { toolMatcherOf } from "./matcher.ts"
import type { Imported, ImportOptions } from "./policy.ts"

/** Reads one `hook.json` of a vix folder as a hook of ours. */
export function importVix(
  text: string,
  folder: string,
  { file, program }: Pick<ImportOptions, "file" | "program">,
): Imported {
  const told = (message: string): Finding => ({ severity: "warning", file, message })
  const reading = readSpec(text, folder)
  if ("problems" in reading) {
    const findings = reading.problems.map((problem) => told(`vix skips it: ${problem}`))
    return { hook: {}, command: undefined, place: { file }, findings }
  }
  const { hook } = reading
  const { when, doubts } = conditionOf(hook)
  const action = actionOf(hook, program)
  const command = hook.action.kind === "command" ? hook.action.command : undefined
  const findings = [...reading.warnings, ...doubts, ...treatment(hook)].map(told)
  if (!action) {
    const left = told("a workflow stays where it is: `detent hook vix` runs it; it is left out")
    return { hook: {}, command, place: { file }, findings: [...findings, left] }
  }
  const { on, phase, carries } = vixEvent(hook.event)
  const made: JsonObject = {
    id: `vix-${hook.id}`,
    on,
    phase,
    when,
    ...action,
    effect: decides(hook) ? carries : "advise",
    timeoutMs: hook.timeoutMs,
    enabled: hook.enabled ? undefined : false,
    cwd: hook.cwd,
  }
  return { hook: made, command, place: { file }, findings }
}

/** Whether vix honours more of what a hook says than what it tells. */
const decides = ({ mode, blocking }: VixHook): boolean => mode === "sync" && blocking

function conditionOf({ event, matcher }: VixHook): { readonly when?: JsonObject; readonly doubts: readonly string[] } {
  const { matches } = vixEvent(event)
  if (matchesAll(matcher) || matches === undefined) return { doubts: [] }
  if (matches === "tool_name") return toolMatcherOf("vix", matcher)
  return { when: { [matches === "agent_type" ? "agent" : "source"]: `/${matcher}/` }, doubts: [] }
}

function actionOf({ action, event }: VixHook, program: readonly string[]): JsonObject | undefined {
  if (action.kind === "command") {
    return { run: [...program, "hook", "run", "vix", "--event", event, "--", "bash", "-c", action.command] }
  }
  if (action.kind !== "prompt" || action.prompt.includes("{{")) return undefined
  return { prompt: `${action.prompt.replaceAll("@", "@@")}\n\n@on @phase @cwd` }
}

function treatment(hook: VixHook): readonly string[] {
  const { mode, event } = hook
  const open = "it fails open: where it cannot start, crashes or is too slow, all goes on; vix has no way to close it"
  if (mode === "async") return ["it is asynchronous: whatever it decides counts for nothing"]
  if (!vixEvent(event).blocks) return []
  return decides(hook) ? [open] : ["it is not blocking: vix passes over its denial, and so does its effect here"]
}
