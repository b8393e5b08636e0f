import type { JsonObject } from "../../effects/json.ts"
import { gates } from "../ceiling.ts"
import type { MomentRow } from "../dialect.ts"
import { DIALECTS } from "../dialects.ts"
import { isOurs } from "./command.ts"
import { type Entry, entriesOf, lineIn, rootOf } from "./entries.ts"
import { lineOf } from "./json-text.ts"
import type { SetupRow } from "./places.ts"

/** Something that keeps Detent from its say, or may. */
export interface Gap {
  /** `open`: what should be refused goes on; `note`: worth knowing */
  readonly kind: "open" | "note"
  readonly message: string
  readonly file?: string
  readonly line?: number
}

/** One hook of ours in a configuration. */
export interface Ours {
  readonly event: string
  readonly command: string
  readonly entry: JsonObject
  readonly row: MomentRow | undefined
  readonly matcher: unknown
  readonly file: string
  readonly line: number
}

/** Our hooks in the text of a configuration. @throws SetupError where it cannot be read. */
export function oursIn(text: string, agent: string, { shape }: SetupRow, file: string): readonly Ours[] {
  const { moments } = DIALECTS[agent]!
  return entriesOf(text, shape).flatMap(({ event, entry, matcher, at }: Entry) => {
    const command = lineIn(entry)
    if (!isOurs(command)) return []
    const row = Object.hasOwn(moments, event) ? moments[event] : undefined
    return [{ event, command, entry, row, matcher, file, line: lineOf(text, at) }]
  })
}

/** Whether a configuration switches all hooks off. */
export const switchedOff = (text: string): boolean => (rootOf(text).value as JsonObject).disableAllHooks === true

/** The events of an agent at which something can be refused, as `init` writes them down. */
export const gatesOf = (agent: string, { leaves = [] }: SetupRow): readonly string[] =>
  Object.entries(DIALECTS[agent]!.moments)
    .filter(([event, row]) => gates(row) && !leaves.includes(event))
    .map(([event]) => event)

/** What is wrong with one hook of ours. */
export function gapsOf(agent: string, { event, command, entry, row, matcher, file, line }: Ours): readonly Gap[] {
  const gap = (kind: Gap["kind"], message: string): Gap => ({ kind, message: `${event}: ${message}`, file, line })
  if (!row) return [gap("note", `${DIALECTS[agent]!.title} has no such event that a hook can be on`)]
  const narrow = matcher !== undefined && matcher !== "" && matcher !== "*" && matcher !== ".*"
  const unit = agent === "gemini" ? 1 / 1000 : 1
  const limit = Number(entry.timeout ?? entry.timeoutSec) * unit
  const own = Number(/--timeout[ =](\S+)/.exec(command)?.[1] ?? row.timeoutMs / 1000)
  const late = limit > 0 && own > limit
  if (!gates(row)) return late ? [gap("note", `the agent gives up after ${limit} s, and Detent after ${own} s`)] : []
  const closed = / \|\| exit 2\b/.test(command) || entry.onFailure === "block" || entry.failClosed === true
  return [
    ...(narrow ? [gap("open", `asked only about what fits \`${String(matcher)}\``)] : []),
    ...(/--on-failure[ =]open/.test(command)
      ? [gap("open", "`--on-failure open`: where Detent fails, all goes on")]
      : []),
    ...(closed ? [] : [gap("open", "where Detent cannot be started, all goes on: `detent init` closes it")]),
    ...(late
      ? [gap("open", `the agent gives up after ${limit} s and goes on, and Detent decides within ${own} s`)]
      : []),
  ]
}
