import type { Cause, Clamped, Dropped } from "../clamp/clamp.ts"
import { dropOf } from "../clamp/cut.ts"
import type { JsonObject } from "../effects/json.ts"
import type { Level } from "../effects/levels.ts"
import type { Output, Run } from "../effects/outputs.ts"
import type { Ran } from "../frames/frames.ts"
import { compileMatcher, toolMatcher } from "../policy/match/matcher.ts"
import type { CompiledHook } from "./compile.ts"
import { invoke } from "./invoke.ts"
import { type Core, MAX_RETRIES, type Operation } from "./operation.ts"
import type { ActionResult } from "./ports.ts"

/** Why a `run` that the level permits is not done all the same; undefined when it is. */
function objection(op: Operation, by: CompiledHook, run: Run): Cause | undefined {
  const { may } = by.hook
  if (run.retry !== undefined) {
    if (!may.retry || op.retried.includes(by) || op.retried.length >= MAX_RETRIES) return "may"
    return op.refused || op.signal?.aborted ? "refused" : undefined
  }
  if (!hasScope(op.caller, "exec")) return "scope"
  const named =
    (run.call && may.tools.some((tool) => toolFits(tool, run.call!.tool))) ||
    (run.argv && may.argv.some((program) => compileMatcher(program).test(run.argv![0]))) ||
    (run.module !== undefined && may.modules.some((path) => compileMatcher(path).test(run.module)))
  return named ? undefined : "may"
}

/** Takes a `run` out of an output where the hook's `may`, the caller's scopes or the limits on retries forbid it. */
export function withinMay(
  op: Operation,
  by: CompiledHook,
  clamped: Clamped,
  kept: Output,
): { readonly kept: Output; readonly dropped: readonly Dropped[] } {
  const why = kept.run && objection(op, by, kept.run)
  if (!why) return { kept, dropped: [] }
  const { run: _, ...rest } = kept
  return { kept: rest, dropped: [dropOf("run", clamped, why)] }
}

/** A caller whose scopes nobody lists is the person at the keyboard and has them all. */
const hasScope = (caller: JsonObject, scope: string): boolean =>
  !Array.isArray(caller.scopes) || caller.scopes.includes(scope)

/** `server/tool`, split at the first slash: a server's name holds none. */
export const splitTool = (name: string): [server: string, tool: string] => {
  const slash = name.indexOf("/")
  return [name.slice(0, slash), name.slice(slash + 1)]
}

const toolFits = (matcher: string, name: string): boolean => toolMatcher(matcher).test(...splitTool(name))

/** Does what a hook asked to have done, and says how it went. A retry is done by whoever runs the operation. */
export async function perform(
  core: Core,
  op: Operation,
  by: CompiledHook,
  effective: Level,
  event: JsonObject,
  run: Run,
): Promise<Ran> {
  if (run.retry !== undefined) return { what: "retry", ok: true }
  if (run.call) return performCall(core, op, by, run.call)
  const action = run.argv
    ? ({ kind: "run", argv: run.argv } as const)
    : ({ kind: "module", path: run.module! } as const)
  const result = await invoke(core, op, by, effective, event, action)
  return ranOf(run.argv ? "argv" : "module", run.argv?.[0] ?? run.module!, result)
}

async function performCall(core: Core, op: Operation, by: CompiledHook, call: NonNullable<Run["call"]>): Promise<Ran> {
  try {
    await core.nested(op, by, ...splitTool(call.tool), call.args ?? {})
    return { what: "call", name: call.tool, ok: true }
  } catch (error) {
    const { code, message } = error as { code?: unknown; message?: unknown }
    return {
      what: "call",
      name: call.tool,
      ok: false,
      error: { code: String(code ?? "error"), message: String(message) },
    }
  }
}

/** What such a program prints is nobody's output, so that it is no JSON is no failure. */
function ranOf(what: "argv" | "module", name: string, result: ActionResult): Ran {
  if (!("failed" in result) || result.failed.kind === "bad-output") return { what, name, ok: true }
  return { what, name, ok: false, error: { code: result.failed.kind, message: result.failed.message } }
}
