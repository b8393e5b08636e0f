import type { AuditQuery } from "../../store/audit/query.ts"
import type { Call } from "../command.ts"
import { CommandError } from "../errors.ts"

const UNITS: Readonly<Record<string, number>> = Object.freeze({
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
})

const AGE = /^(\d+(?:\.\d+)?)([smhdw])$/
const TIME = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/

/** A time as ISO 8601: said as one, in UTC where it names no zone, or as an age. @throws CommandError on anything else */
export function timeOf(flag: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const [, count, unit] = AGE.exec(text) ?? []
  if (unit !== undefined) return new Date(Date.now() - Number(count) * UNITS[unit]!).toISOString()
  const [, clock, , , zone] = TIME.exec(text) ?? []
  const time = Date.parse(TIME.test(text) ? `${text.replace(" ", "T")}${clock && !zone ? "Z" : ""}` : "")
  if (!Number.isNaN(time)) return new Date(time).toISOString()
  throw new CommandError(
    `\`${text}\` is no time for \`--${flag}\``,
    "write 2026-01-31, 2026-01-31T09:30:00Z, or an age: 90m, 12h, 7d",
  )
}

/** A whole number from a flag. @throws CommandError on anything else */
export function countOf(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const count = Number(text)
  if (/^\d+$/.test(text) && Number.isSafeInteger(count)) return count
  throw new CommandError(`\`--${flag}\` must be a whole number, not \`${text}\``)
}

/** Which rows a call asks for. */
export function queryOf({ given }: Call): AuditQuery {
  const said = {
    outcome: given.value("outcome"),
    hook: given.value("hook"),
    caller: given.value("caller"),
    tool: given.value("tool"),
    since: timeOf("since", given.value("since")),
    until: timeOf("until", given.value("until")),
    last: countOf("last", given.value("last")),
  }
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined))
}
