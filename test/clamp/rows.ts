import { readFileSync } from "node:fs"
import type { Clamped, ClampInput } from "../../clamp/clamp.ts"

/** Anything with the clamp's shape: the clamp itself, or a strawman. */
export type Clamp = (input: ClampInput) => Clamped

/** A row of a conformance table; its name is its own line of the file. */
export interface Row {
  readonly name: string
  readonly cells: Readonly<Record<string, string>>
}

/** The rows of `fixtures/conformance/<file>`, one cell a column of its first line. */
export function rowsOf(file: string): readonly Row[] {
  const text = readFileSync(new URL(`../../fixtures/conformance/${file}`, import.meta.url), "utf8")
  const [head = "", ...lines] = text.trimEnd().split("\n")
  const columns = head.split(",")
  return lines.map((name) => {
    const cells = name.split(",")
    return { name, cells: Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? ""])) }
  })
}

const inputOf = ({ cells }: Row): ClampInput => {
  const { phase, effect, caller, daemon, floor } = cells
  return { phase, effect, caller, daemon, ...(floor === undefined ? {} : { floor }) } as ClampInput
}

/** The line that a clamp would have written for a row of clamp.csv. */
export function clampLine(clamp: Clamp, row: Row): string {
  const { phase, effect, caller, daemon, key = "" } = row.cells
  const clamped = clamp(inputOf(row))
  const drop = clamped.drop(key)
  const kept = clamped.permits(key) ? "yes" : "no"
  return [phase, effect, caller, daemon, key, clamped.effect, kept, drop?.by.join("+") ?? ""].join(",")
}

/** The line that a clamp would have written for a row of floor.csv. */
export function floorLine(clamp: Clamp, row: Row): string {
  const { phase, effect, floor, caller, daemon } = row.cells
  const clamped = clamp(inputOf(row))
  return [phase, effect, floor, caller, daemon, clamped.effect, clamped.clampedBy?.join("+") ?? ""].join(",")
}

/** The names of the rows that a clamp gets wrong. */
export const wrongRows = (clamp: Clamp, rows: readonly Row[], line: (clamp: Clamp, row: Row) => string): string[] =>
  rows.filter((row) => line(clamp, row) !== row.name).map((row) => row.name)
