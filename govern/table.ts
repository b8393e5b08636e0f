import { type Level, reaches } from "../effects/levels.ts"
import { showMoment } from "../policy/phases.ts"
import type { ExplainRow } from "./explain.ts"

/** The columns of the table for people, in order. */
const COLUMNS = Object.freeze({
  hook: (row: ExplainRow) => row.hook,
  on: (row: ExplainRow) => showMoment(row.on, row.phase),
  action: (row: ExplainRow) => row.action,
  effect: (row: ExplainRow) => row.effect,
  "in force": (row: ExplainRow) => (row.enabled ? row.effective : "disabled"),
  "decided by": (row: ExplainRow) => row.decidedBy.join(", "),
  matches: (row: ExplainRow) => (row.matches === undefined ? "" : row.matches ? "yes" : "no"),
  origin: (row: ExplainRow) => row.origin,
} as const)

/** Columns, where nobody says how many there are. */
const WIDTH = 120
const GAP = "  "

/**
 * The rows as a text table, and below each hook what lowers it, or may, a line each of any length. Long names are cut in
 * the middle; no colour.
 *
 * @param width columns that the table may take
 */
export function explainTable(rows: readonly ExplainRow[], width = WIDTH): string {
  if (rows.length === 0) return "no hooks are in force here"
  const names = (Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]).filter((name) =>
    rows.some((row) => COLUMNS[name](row) !== ""),
  )
  const wanted = names.map((name) => Math.max(name.length, ...rows.map((row) => COLUMNS[name](row).length)))
  const widths = fitted(wanted, width)
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, at) => shortened(cell, widths[at]!).padEnd(widths[at]!))
      .join(GAP)
      .trimEnd()
  const told = rows.flatMap((row) => [line(names.map((name) => COLUMNS[name](row))), ...remarks(row)])
  return [line(names), line(widths.map((width) => "─".repeat(width))), ...told].join("\n")
}

/** Takes what is too much from the widest column, one at a time. */
function fitted(widths: readonly number[], width: number): number[] {
  const made = [...widths]
  const room = width - GAP.length * (widths.length - 1)
  while (made.reduce((sum, width) => sum + width, 0) > room) made[made.indexOf(Math.max(...made))]! -= 1
  return made
}

function shortened(given: string, width: number): string {
  // What a terminal would obey is no part of a name.
  const text = given.replace(/\p{Cc}/gu, "·")
  if (text.length <= width) return text
  const head = Math.ceil((width - 1) / 2)
  return `${text.slice(0, head)}…${text.slice(text.length - (width - 1 - head))}`
}

function remarks({ sources, conditional = [], host, effective, within }: ExplainRow): string[] {
  const scope = within === undefined ? [] : [`comes with a server: fires on ${within} alone, while its session lives`]
  const lowered = sources.map(({ by, id, origin, reason }) => {
    const name = id === undefined ? origin : `${id}, ${origin}`
    return `lowered by ${by}: ${name}${reason === undefined ? "" : `, ${reason}`}`
  })
  const maybe = conditional.map(
    ({ id, max, origin, reason }) =>
      `may be lowered to ${max} by ${id} (${origin})${reason === undefined ? "" : `, ${reason}`}`,
  )
  return [...scope, ...lowered, ...maybe, ...hostRemarks(host, effective)].map(
    (text) => `    ${text.replace(/\p{Cc}/gu, "·")}`,
  )
}

const KEYS = { advise: "advice", refuse: "refusal", ask: "question", apply: "replacement" } as const
/** The level from which a hook can say each. */
const FROM = { advise: "advise", refuse: "ask", ask: "ask", apply: "propose" } as const

/** What an agent makes of all that this hook may say. */
function hostRemarks(host: ExplainRow["host"], effective: Level): string[] {
  if (!host) return []
  const said = (Object.keys(KEYS) as (keyof typeof KEYS)[]).flatMap((key) => {
    const word = host.becomes[key]
    return word && reaches(effective, FROM[key]) ? [`${KEYS[key]}: ${word}`] : []
  })
  return [[`at ${host.events.join(", ")}`, ...said].join("; ")]
}
