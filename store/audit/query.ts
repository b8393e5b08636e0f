import { type Sealed, unseal } from "./chain.ts"
import type { AuditRow } from "./row.ts"

/** Which rows are wanted; all that are given must hold. */
export interface AuditQuery {
  readonly outcome?: string
  /** the id of a hook that ran or was skipped */
  readonly hook?: string
  /** the caller's id */
  readonly caller?: string
  /** a tool's name, or `server/tool` */
  readonly tool?: string
  /** ISO 8601; rows of this time and later */
  readonly since?: string
  /** rows before this time */
  readonly until?: string
  /** rows after this one */
  readonly after?: number
  /** at most that many, the newest; in the order in which they were written all the same */
  readonly last?: number
}

const FITS = Object.freeze({
  outcome: (row, outcome) => row.outcome === outcome,
  hook: (row, id) => row.hooks?.some((hook) => hook.id === id) ?? false,
  caller: (row, id) => row.caller?.id === id,
  tool: (row, tool) => row.tool === tool || `${row.server}/${row.tool}` === tool,
  since: (row, time) => Date.parse(row.time) >= Date.parse(time),
  until: (row, time) => Date.parse(row.time) < Date.parse(time),
} as const satisfies Record<Exclude<keyof AuditQuery, "after" | "last">, (row: AuditRow, wanted: string) => boolean>)

/** What leaves out rows that stand between others; a time and a number leave out the ends alone. */
export const SELECTING = Object.freeze(["outcome", "hook", "caller", "tool"] as const)

const NAMES = Object.keys(FITS) as (keyof typeof FITS)[]

/** Whether a row is one of those that are wanted. It is read only where that is asked. */
export function isWanted(sealed: Sealed, query: AuditQuery): boolean {
  const asked = NAMES.filter((name) => query[name] !== undefined)
  if (asked.length === 0) return true
  const row = unseal(sealed)
  return asked.every((name) => FITS[name](row, query[name]!))
}
