import type { SettingReport } from "../../settings/report/report.ts"
import { brief, oneLine } from "../text/plain.ts"

/** A value for a person: a text as it is, anything else as JSON. */
export const shownValue = (value: unknown): string =>
  value === undefined ? "nothing" : typeof value === "string" ? oneLine(value) : brief(value)

/** Where a value is from, and what lowered it. */
export function whereFrom({ layer, origin, requested, clampedBy, entries = [] }: SettingReport): string {
  const origins = [...new Set(entries.map((entry) => entry.origin))]
  const from = origins.length > 0 ? origins.join(", ") : layer === origin ? origin : `${layer}, ${origin}`
  return oneLine(clampedBy === undefined ? from : `${from}; lowered from ${requested} by ${clampedBy}`)
}
