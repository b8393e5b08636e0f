import { isObject, type JsonObject, sameJson } from "../effects/json.ts"
import { mergePatch } from "../effects/merge.ts"
import type { Apply } from "../effects/outputs.ts"
import { isText } from "../effects/plain.ts"
import { onlyLessOrAnnotated } from "../policy/listing.ts"
import type { Phase } from "../policy/phases.ts"
import { isPoint, pointRow } from "../policy/points.ts"
import { applyTarget } from "../policy/tools.ts"
import { inputOf, withInput } from "./event.ts"
import type { Ports } from "./ports.ts"

/** What an `apply` made of the event, or undefined where its value cannot stand there. */
export interface Applied {
  readonly event: JsonObject
  /** what the hook received, and this replaced */
  readonly original: unknown
  readonly changed: boolean
  /** before: the `meta` that this replaced */
  readonly originalMeta?: unknown
  /** before: the operation is answered with `event.result`, and nothing is sent */
  readonly answers?: true
}

/** Puts a replacement in the subject's place. */
export function applyTo(event: JsonObject, apply: Apply, ports: Ports): Applied | undefined {
  if (!hasSubject(event)) return undefined
  if (event.phase === "before") return applyBefore(event, apply, ports)
  if (event.phase === "onSuccess") return applyToResult(event, replacement(event.result, apply, "result"))
  // A recovered error has a result: from then on that is what a merge patch is about.
  const recovered = Object.hasOwn(event, "result")
  if (apply.error !== undefined) return replaceError(event, apply.error)
  if (apply.merge === undefined || recovered) return recover(event, replacement(event.result, apply, "result"))
  return replaceError(event, mergePatch(event.error, apply.merge))
}

/** Whether there is anything at this moment that may be replaced. */
const hasSubject = ({ on, phase }: JsonObject): boolean =>
  !isPoint(on) || pointRow(on).phases[phase as Phase]?.subject !== "none"

const applyToResult = (event: JsonObject, value: unknown): Applied | undefined =>
  event.on === "tools.list" && !onlyLessOrAnnotated(event.result, value) ? undefined : replaced(event, "result", value)

const replacement = (current: unknown, apply: Apply, member: "result"): unknown =>
  apply.merge === undefined ? apply[member] : mergePatch(current, apply.merge)

function replaced(event: JsonObject, member: string, value: unknown): Applied {
  const original = event[member]
  return { event: { ...event, [member]: value }, original, changed: !sameJson(original, value) }
}

function replaceError(event: JsonObject, error: unknown): Applied | undefined {
  if (!isObject(error) || typeof error.message !== "string" || error.message.trim() === "") return undefined
  const { result: _, ...rest } = event
  return replaced(rest, "error", { code: "error", ...error })
}

const recover = (event: JsonObject, result: unknown): Applied => ({
  event: { ...event, result },
  original: event.error,
  changed: true,
})

function applyBefore(event: JsonObject, apply: Apply, ports: Ports): Applied | undefined {
  if (Object.hasOwn(apply, "result")) {
    return { event: { ...event, result: apply.result }, original: inputOf(event), changed: true, answers: true }
  }
  const current = inputOf(event)
  const input = replacing(event, current, apply)
  if (!fits(event, input, ports)) return undefined
  const other = apply.meta !== undefined && !sameJson(event.meta, apply.meta)
  const applied = { event: withInput(event, input, apply.meta), original: current }
  if (!other) return { ...applied, changed: !sameJson(current, input) }
  return { ...applied, changed: true, originalMeta: event.meta ?? null }
}

function replacing(event: JsonObject, current: unknown, apply: Apply): unknown {
  if (apply.merge !== undefined) return mergePatch(current, apply.merge)
  if (apply.target === undefined) return apply.input
  if (event.on !== "call" || !isObject(event.args)) return undefined
  return applyTarget(String(event.server), String(event.tool), event.args, apply.target)
}

/** INVARIANT: an `apply` never changes which operation it is, only what it is given, and that must fit the tool. */
export function fits(event: JsonObject, input: unknown, ports: Ports): boolean {
  if (event.on === "prompt") return isText(input)
  if (event.on === "script" && Array.isArray(event.args)) return Array.isArray(input)
  if (!isObject(input)) return false
  if (event.on === "prompt.get") return Object.values(input).every((value) => typeof value === "string")
  return event.on !== "call" || ports.fits?.(String(event.server), String(event.tool), input) !== false
}
