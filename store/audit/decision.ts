import { createHash } from "node:crypto"
import { canonicalJson, type JsonObject } from "../../effects/json.ts"
import type { Frame, Verdict } from "../../frames/frames.ts"
import type { Decision } from "./row.ts"

/** What a decision is made of. */
export interface Decided {
  /** the event as it was sent, before any hook */
  readonly event: JsonObject
  readonly on: string
  /** the moment, where one was fired on its own; absent: a whole operation */
  readonly phase?: string
  readonly caller: JsonObject
  readonly verdict: Verdict
  /** `policyHash` of the policy in force */
  readonly policy: string
  readonly approval?: string
  readonly durationMs?: number
}

/** What a script printed is no decision, and may be anything. */
const OUTPUT: readonly Frame["type"][] = ["log", "emit", "stdout", "stderr", "artifact.chunk"]

const hashOf = (value: unknown): string => createHash("sha256").update(canonicalJson(value)).digest("hex")

/** A verdict as a row tells it: results are known by their hashes, and what a script printed by how much it was. */
export function decisionOf({ event, on, phase, caller, verdict, policy, approval, durationMs }: Decided): Decision {
  const { input, outcome, refusal, error, ceilings, frames } = verdict
  const text = (name: string): object => (typeof event[name] === "string" ? { [name]: event[name] } : {})
  const result = Object.hasOwn(verdict, "result") ? verdict.result : event.result
  const sent = event.args ?? event.prompt
  const changed = canonicalJson(input) !== canonicalJson(sent)
  const hooks = frames.flatMap((frame) => (frame.type === "hook" ? [{ id: frame.hook, effect: frame.effect }] : []))
  return {
    caller,
    on,
    ...(phase === undefined ? {} : { phase }),
    ...text("session"),
    ...text("agent"),
    ...text("server"),
    ...text("tool"),
    input,
    ...(changed ? { sent } : {}),
    outcome: error && !refusal ? "error" : outcome,
    ...(refusal ? { refusal } : {}),
    ...(error ? { error: { code: error.code, message: error.message } } : {}),
    ...(approval === undefined ? {} : { approval }),
    hooks,
    ...(ceilings ? { ceilings } : {}),
    hashes: { policy, input: hashOf(input), ...(result === undefined ? {} : { result: hashOf(result) }) },
    frames: frames.flatMap((frame) => (OUTPUT.includes(frame.type) ? [] : [withoutResult(frame)])),
    ...outputOf(frames),
    ...(durationMs === undefined ? {} : { durationMs }),
  }
}

function withoutResult(frame: Frame): Frame {
  if (frame.type !== "result") return frame
  const text = canonicalJson(frame.value)
  return { type: "result", value: { sha256: hashOf(frame.value), bytes: Buffer.byteLength(text) } }
}

/** How many frames of a script's own output were left out, by type. */
function outputOf(frames: readonly Frame[]): Pick<Decision, "left"> {
  const left: Record<string, number> = {}
  for (const { type } of frames) if (OUTPUT.includes(type)) left[type] = (left[type] ?? 0) + 1
  return Object.keys(left).length > 0 ? { left } : {}
}
