import { describe, expect, it } from "vitest"
import { clamp } from "../../clamp/clamp.ts"
import { broken, LAW_NAMES, type LawName } from "./laws.ts"
import { clampLine, floorLine, rowsOf, wrongRows } from "./rows.ts"
import { STRAWMEN, type Strawman } from "./strawmen.ts"

const LOWERING = "a lowering names every ceiling below the request, in order"
const DROP = "a drop names every voice below the key's level, in order"

/** What catches each strawman: exactly these laws, and these rows among others. */
const CAUGHT = {
  "grants all": {
    laws: ["never above any ceiling", "clamping what was clamped changes nothing", LOWERING, DROP],
    rows: ["before,off,off,off,run,off,no,effect+caller+daemon", "observe,run,run,run,advise,off,no,phase"],
  },
  "grants nothing": {
    laws: ["no lower than the lowest of them", LOWERING, DROP],
    rows: ["before,run,run,run,run,run,yes,", "suffix,run,advise,run,advise,advise,yes,"],
  },
  "forgets the caller": {
    laws: ["never above any ceiling", "which ceiling holds which level is irrelevant to the level", LOWERING, DROP],
    rows: ["before,run,off,run,run,off,no,caller", "before,run,off,off,run,off,caller"],
  },
  "lets the floor lift the daemon": {
    laws: ["never above any ceiling", "the floor does what a higher caller would, and no more", LOWERING, DROP],
    rows: ["before,run,run,off,off,off,daemon", "onError,apply,apply,run,ask,ask,daemon"],
  },
  "forgets the floor": {
    laws: [
      "no lower than the lowest of them",
      "the floor does what a higher caller would, and no more",
      LOWERING,
      DROP,
    ],
    rows: ["before,ask,ask,off,run,ask,"],
  },
  "swaps the order of the report": {
    laws: [LOWERING, DROP],
    rows: ["before,run,off,off,run,off,no,caller+daemon", "suffix,run,off,off,off,off,phase+caller+daemon"],
  },
  "raises instead of lowers": {
    laws: [
      "never above any ceiling",
      "clamping what was clamped changes nothing",
      "which ceiling holds which level is irrelevant to the level",
      "the floor does what a higher caller would, and no more",
      LOWERING,
      DROP,
    ],
    rows: ["before,advise,run,run,run,advise,no,effect", "before,ask,off,run,run,ask,"],
  },
  "refuses what it should lower": {
    laws: ["no lower than the lowest of them", "raising a dial never lowers the level", LOWERING, DROP],
    rows: ["before,run,ask,run,refuse,ask,yes,"],
  },
  "lets a drop go unsaid": {
    laws: [DROP, "kept plus dropped is what was given"],
    rows: ["onSuccess,ask,run,run,apply,ask,no,effect"],
  },
  "knows six phases but cuts in none": {
    laws: ["never above any ceiling", LOWERING, DROP],
    rows: ["suffix,run,run,run,refuse,advise,no,phase", "observe,run,off,run,run,off,phase"],
  },
  "is off by one for refuse": {
    laws: ["kept plus dropped is what was given"],
    rows: ["before,advise,run,run,refuse,advise,no,effect"],
  },
} as const satisfies Record<Strawman, { laws: readonly LawName[]; rows: readonly string[] }>

describe("a suite that can fail", () => {
  const clampRows = rowsOf("clamp.csv")
  const floorRows = rowsOf("floor.csv")
  const wrong = (candidate: typeof clamp) => [
    ...wrongRows(candidate, clampRows, clampLine),
    ...wrongRows(candidate, floorRows, floorLine),
  ]

  for (const [name, { laws, rows }] of Object.entries(CAUGHT)) {
    it(`catches a clamp that ${name}`, () => {
      const strawman = STRAWMEN[name as Strawman]
      expect(broken(strawman)).toEqual(laws)
      const found = new Set(wrong(strawman))
      expect(rows.filter((row) => !found.has(row))).toEqual([])
    })
  }

  it("finds nothing wrong with the clamp itself", () => {
    expect(broken(clamp)).toEqual([])
    expect(wrong(clamp)).toEqual([])
  })

  it("has a strawman for every law", () => {
    const laws = Object.values(CAUGHT).flatMap((caught): readonly string[] => caught.laws)
    expect([...new Set(laws)].sort()).toEqual([...LAW_NAMES].sort())
  })
})
