import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { findJsonFault } from "../../policy/json-fault.ts"

const parses = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe("the first place at which a text is no JSON", () => {
  it.each([
    ['{"a": 1,}', 8],
    ['{"a" 1}', 5],
    ["[1 2]", 3],
    ['{"a": tru}', 6],
    ["[01]", 1],
    ['{"a": 1} x', 9],
    ['"a\tb"', 0],
    ['["a\\x"]', 1],
    ["{'a': 1}", 1],
    ["[", 1],
    ["", 0],
    ["[NaN]", 1],
    ["[+1]", 1],
    ["[1.]", 1],
  ])("%j: %i", (text, offset) => {
    expect(parses(text)).toBe(false)
    expect(findJsonFault(text)?.offset).toBe(offset)
  })

  it("is none exactly where JSON.parse has nothing to say", () => {
    const broken = fc.tuple(
      fc.json(),
      fc.nat(),
      fc.constantFrom("", ",", "}", "]", '"', "\\", "1", "e", "-", " ", "\u0001"),
    )
    fc.assert(
      fc.property(broken, ([json, at, insert]) => {
        const place = at % (json.length + 1)
        for (const text of [json, json.slice(0, place) + insert + json.slice(place), json.slice(0, place)]) {
          expect(findJsonFault(text) === undefined).toBe(parses(text))
        }
      }),
      { numRuns: 1000 },
    )
  })
})
