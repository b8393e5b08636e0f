import { describe, expect, it } from "vitest"
import { clamp } from "../../clamp/clamp.ts"
import { clampLine, floorLine, rowsOf, wrongRows } from "./rows.ts"

describe("the clamp against the published tables", () => {
  it("gives the effective level, what is kept and by what it is dropped, in every row of clamp.csv", () => {
    const rows = rowsOf("clamp.csv")
    expect(rows).toHaveLength(6 * 6 * 6 * 6 * 6)
    expect(wrongRows(clamp, rows, clampLine)).toEqual([])
  })

  it("gives the effective level and what lowered it, in every row of floor.csv", () => {
    const rows = rowsOf("floor.csv")
    expect(rows).toHaveLength(6 * 21 * 6 * 6)
    expect(wrongRows(clamp, rows, floorLine)).toEqual([])
  })

  it("says what was requested exactly where something lowered it", () => {
    for (const row of rowsOf("floor.csv")) {
      const { phase, effect, floor, caller, daemon, clampedBy } = row.cells
      const clamped = clamp({ phase, effect, floor, caller, daemon } as Parameters<typeof clamp>[0])
      expect(clamped.requested, row.name).toBe(clampedBy === "" ? undefined : effect)
    }
  })
})
