import { describe, expect, it } from "vitest"
import { CHECKS } from "../../policy/check/table.ts"
import { CHECK_CASES } from "./check.cases.ts"
import { type FindingCase, findIn } from "./finding.ts"
import { SHAPE_CASES } from "./shape.cases.ts"

describe("each check finds what it is for, with its place and how to mend it", () => {
  it.each(Object.entries<FindingCase>(CHECK_CASES))("%s", (_, one) => {
    expect(findIn(one)).toEqual(one.found)
  })

  it("no check is without a case, and no case is only about others", () => {
    expect(Object.keys(CHECK_CASES).sort()).toEqual(Object.keys(CHECKS).sort())
    for (const [name, { found }] of Object.entries<FindingCase>(CHECK_CASES)) {
      const severity = CHECKS[name as keyof typeof CHECKS].severity
      expect(
        found.some((line) => line.includes(`: ${severity}: `)),
        name,
      ).toBe(true)
    }
  })
})

describe("the text and its shape", () => {
  it.each(Object.entries(SHAPE_CASES))("%s", (_, one) => {
    expect(findIn(one)).toEqual(one.found)
  })
})
