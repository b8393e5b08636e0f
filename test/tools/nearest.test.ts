import { expect, it } from "vitest"
import { nearest } from "../../policy/nearest.ts"

it.each([
  ["refsue", ["advise", "ask", "refuse"], "refuse"],
  ["Bash", ["bash", "read"], "bash"],
  ["autonomymax", ["autonomy.max", "hooks"], "autonomy.max"],
  ["starts_with", ["matches", "glob"], undefined],
  ["x", ["y"], "y"],
  ["ask", [], undefined],
  ["", ["a"], "a"],
  ["completely", ["different"], undefined],
])("the nearest word to %j in %j is %j", (word, candidates, expected) => {
  expect(nearest(word, candidates)).toBe(expected)
})
