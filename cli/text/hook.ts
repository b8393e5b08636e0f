import { isObject } from "../../effects/json.ts"
import type { CeilingSource, HookFrame, Redacted } from "../../frames/frames.ts"
import { SKIPS } from "../../frames/frames.ts"
import type { Colour, Paint } from "./colour.ts"
import { brief, oneLine } from "./plain.ts"

/** One thing that a hook did, and how it looks. */
interface Deed {
  readonly colour: Colour
  readonly text: string
}

const deed = (colour: Colour, text: string): Deed => ({ colour, text })

/** Everything that a hook did, the weightiest first. */
function deedsOf(frame: HookFrame): Deed[] {
  const { refuse, ask, advise, propose, ran, failed, skipped, changed, original } = frame
  const deeds: Deed[] = []
  if (skipped) deeds.push(deed("faint", `did not run: ${SKIPS[skipped]}`))
  if (failed) deeds.push(deed("bad", `failed: ${failed.message}${codeOf(failed)}`))
  if (refuse) deeds.push(deed("bad", `refused: ${oneLine(refuse.reason)}`))
  if (ask)
    deeds.push(deed("warning", `asked: ${oneLine(ask.question)}${ask.answer ? ` → ${oneLine(ask.answer)}` : ""}`))
  if (changed) deeds.push(deed("good", `replaced ${shown(original)}`))
  for (const one of ran ?? []) {
    const name = one.name === undefined ? one.what : `${one.what} ${oneLine(one.name)}`
    deeds.push(
      one.ok
        ? deed("good", `ran ${name}`)
        : deed("bad", `ran ${name}, which failed: ${oneLine(one.error?.message ?? "")}`),
    )
  }
  if (propose) deeds.push(deed("good", `proposed ${brief(propose)}`))
  for (const one of advise ?? []) {
    deeds.push(deed(one.severity === "error" ? "bad" : "good", `advised: ${oneLine(one.text)}`))
  }
  return deeds
}

/** A value that may not be shown is told by its size: its hash is in the frame for who needs it. */
const shown = (original: unknown): string =>
  isRedacted(original) ? `${original.bytes} bytes that are not shown` : brief(original)

const isRedacted = (value: unknown): value is Redacted =>
  isObject(value) &&
  Object.keys(value).length === 2 &&
  typeof value.sha256 === "string" &&
  typeof value.bytes === "number"

const codeOf = ({ exitCode, signal }: NonNullable<HookFrame["failed"]>): string =>
  exitCode !== undefined ? ` (${exitCode})` : signal !== undefined ? ` (${signal})` : ""

const sourceOf = ({ by, id, reason, origin }: CeilingSource): string =>
  `${by}: ${id === undefined ? origin : `\`${id}\``}${reason === undefined ? "" : `, ${oneLine(reason)}`}`

/** What a model used; an answer that was kept costs nothing again. */
function usageOf({ model, inputTokens, outputTokens, cost, cached }: NonNullable<HookFrame["usage"]>): string {
  if (cached) return `${oneLine(model)} was not asked again`
  const dollars = cost === undefined ? "" : `, $${cost}`
  return `${inputTokens} + ${outputTokens} tokens of ${oneLine(model)}${dollars}`
}

/** What kept the hook from doing more: who lowered it, and what of its output was dropped by whom. */
function limitsOf({ requested, ceilings, dropped, usage, notes }: HookFrame): Deed[] {
  const limits: Deed[] = []
  if (requested) {
    const by = (ceilings ?? []).map(sourceOf).join(" and ")
    limits.push(deed("warning", `lowered from ${requested} by ${by}`))
  }
  for (const { key, by } of dropped ?? [])
    limits.push(deed("warning", `dropped \`${oneLine(key)}\` (${by.join(", ")})`))
  if (usage) limits.push(deed("faint", usageOf(usage)))
  for (const note of notes ?? []) limits.push(deed("faint", oneLine(note)))
  return limits
}

/** Whether there is more to say of a hook than that it had no opinion. */
export const isWorthTelling = (frame: HookFrame): boolean => deedsOf(frame).length + limitsOf(frame).length > 0

/** One line for one hook: who, at which level, what it did, what lowered it, what was dropped by whom. */
export function hookLine(frame: HookFrame, paint: Paint): string {
  const { hook, on, phase, action, effect, recheck } = frame
  const deeds = deedsOf(frame)
  const silent = deeds.length === 0 && frame.dropped === undefined
  const where = paint(
    "faint",
    `${phase === "observe" ? "observe" : `${on} ${phase}`}, ${action}, ${effect}${recheck ? ", again" : ""}`,
  )
  const parts = [...deeds, ...(silent ? [deed("faint", "had no opinion")] : []), ...limitsOf(frame)].map(
    ({ colour, text }) => paint(colour, text),
  )
  return `${paint("strong", oneLine(hook))} [${where}] ${parts.join("; ")}`
}
