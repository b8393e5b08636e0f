import { beforeAll, describe, expect, it } from "vitest"
import { orderingOnMaybeMissing } from "../../policy/logic/ordering.ts"
import { findLogicProblems } from "../../policy/logic/problems.ts"
import { usesRegex, variablesOf } from "../../policy/logic/uses.ts"
import { registerRe2 } from "../../policy/match/re2.ts"

beforeAll(registerRe2)

describe("what is wrong in a condition", () => {
  it("is nothing, where nothing is", () => {
    expect(findLogicProblems({ and: [{ "==": [{ var: "a" }, 1] }, { glob: [{ var: "p" }, ["a", "b*"]] }] })).toEqual([])
    expect(findLogicProblems({ in: ["x", [1, { a: 1, b: 2 }, {}]] })).toEqual([])
    expect(findLogicProblems(true)).toEqual([])
  })

  it("is an operation that nobody knows, with its place and what may have been meant", () => {
    expect(findLogicProblems({ and: [true, { globb: ["a", "b"] }] })).toEqual([
      { path: ["and", 1, "globb"], message: "unknown operation `globb`", hint: "did you mean `glob`?" },
    ])
    const [log] = findLogicProblems({ if: [{ log: "x" }, 1] })
    expect(log).toMatchObject({ path: ["if", 0, "log"], message: "unknown operation `log`" })
    expect(findLogicProblems({ starts_with: [{ var: "a" }, "b"] })[0]?.hint).toContain("`matches`")
  })

  it("is every one of them, outer ones first", () => {
    const found = findLogicProblems({ nand: [{ nor: [] }, { matches: ["a", "("] }] })
    expect(found.map(({ path }) => path.join("/"))).toEqual(["nand", "nand/0/nor", "nand/1/matches/1"])
  })

  it("is a pattern that cannot be used", () => {
    expect(findLogicProblems({ matches: [{ var: "a" }, "(?=x)"] })[0]?.hint).toContain("no lookaround")
    expect(findLogicProblems({ matches: [{ var: "a" }, 5] })[0]?.path).toEqual(["matches", 1])
    expect(findLogicProblems({ glob: [{ var: "a" }, ["ok", 5]] })[0]?.path).toEqual(["glob", 1, 1])
    expect(findLogicProblems({ under: [{ var: "a" }] })[0]?.message).toContain("takes two values")
    expect(findLogicProblems({ under: [5, "/a"] })[0]?.path).toEqual(["under", 0])
  })

  it("is a test of several keys, which would always be true", () => {
    expect(findLogicProblems({ "==": [1, 2], "!=": [1, 2] })[0]?.hint).toBe("put the tests into one `and`")
  })
})

describe("whether the regex engine is needed", () => {
  it.each([
    [{ matches: [{ var: "a" }, "a|b"] }, false],
    [{ matches: [{ var: "a" }, "/npm .*/"] }, false],
    [{ matches: [{ var: "a" }, "\\d+"] }, true],
    [{ or: [false, { "!": { matches: [{ var: "a" }, "[ab]"] } }] }, true],
    [{ matches: [{ var: "a" }, { var: "b" }] }, true],
    [{ glob: [{ var: "a" }, "[ab]"] }, false],
  ])("%j: %j", (rule, needed) => {
    expect(usesRegex(rule)).toBe(needed)
  })
})

describe("the variables of a condition", () => {
  it("come with whether they have a default, and where they are written", () => {
    expect(variablesOf({ and: [{ "==": [{ var: "args.a" }, 1] }, { var: ["b", "x"] }, { var: ["c", null] }] })).toEqual(
      [
        { path: "args.a", default: false, at: "/and/0/==/0/var" },
        { path: "b", default: true, at: "/and/1/var/0" },
        { path: "c", default: false, at: "/and/2/var/0" },
      ],
    )
  })

  it("include those of `missing` and `missing_some`", () => {
    expect(variablesOf({ missing: ["a", "b.c"] })).toEqual([
      { path: "a", default: false, at: "/missing/0" },
      { path: "b.c", default: false, at: "/missing/1" },
    ])
    expect(variablesOf({ missing: "a" })).toEqual([{ path: "a", default: false, at: "/missing" }])
    expect(variablesOf({ missing: [["a"]] })).toEqual([{ path: "a", default: false, at: "/missing/0/0" }])
    expect(variablesOf({ missing_some: [1, ["a", "b"]] }).map(({ at }) => at)).toEqual([
      "/missing_some/1/0",
      "/missing_some/1/1",
    ])
  })

  it("leave out an item's, and paths that are computed", () => {
    const rule = { some: [{ var: "rows" }, { "==": [{ var: "kind" }, { var: { cat: ["x"] } }] }] }
    expect(variablesOf(rule).map(({ path }) => path)).toEqual(["rows"])
  })

  it("write an operation's slash as a pointer does", () => {
    expect(variablesOf({ "/": [{ var: "a" }, 2] })[0]?.at).toBe("/~1/0/var")
  })
})

const BELOW = { "<": [{ var: "a.n" }, 100] }

describe("an ordering test on a variable that may be missing", () => {
  it("is found with its place", () => {
    expect(orderingOnMaybeMissing(BELOW)).toEqual([{ path: "a.n", at: "/</0" }])
    expect(orderingOnMaybeMissing({ or: [false, { "<=": [1, { var: "x" }, 5] }] })).toEqual([
      { path: "x", at: "/or/1/<=/1" },
    ])
  })

  it.each([
    ["a default", { "<": [{ var: ["a.n", 0] }, 100] }],
    ["`missing` in an `and`", { and: [{ "!": [{ missing: ["a.n"] }] }, BELOW] }],
    ["`missing` of several", { and: [{ "!": { missing: ["x", "a.n"] } }, BELOW] }],
    ["`!!`", { and: [{ "!!": [{ var: "a.n" }] }, BELOW] }],
    ["the variable itself", { and: [{ var: "a.n" }, BELOW] }],
    ["`!= null`", { and: [{ "!=": [{ var: "a.n" }, null] }, BELOW] }],
    ["`!== null`, the other way round", { and: [{ "!==": [null, { var: "a.n" }] }, BELOW] }],
    ["a guard further out", { and: [{ var: "a.n" }, { or: [{ "==": [1, 2] }, BELOW] }] }],
    ["an `if`", { if: [{ "!!": { var: "a.n" } }, BELOW, false] }],
    ["an `if` on what is missing", { if: [{ missing: ["a.n"] }, false, BELOW] }],
    ["an `or` with `missing`", { or: [{ missing: ["a.n"] }, BELOW] }],
    ["an `or` with `== null`", { or: [{ "==": [{ var: "a.n" }, null] }, BELOW] }],
    ["an equality", { and: [{ "==": [{ var: "a.n" }, 5] }, BELOW] }],
  ])("is well with %s", (_, rule) => {
    expect(orderingOnMaybeMissing(rule)).toEqual([])
  })

  it.each([
    ["a guard on another path", { and: [{ var: "a" }, BELOW] }],
    ["a guard in an `or`", { or: [{ var: "a.n" }, BELOW] }],
    ["a guard the wrong way round", { and: [{ missing: ["a.n"] }, BELOW] }],
    ["one of two guards", { and: [{ or: [{ var: "a.n" }, { var: "b" }] }, BELOW] }],
    ["the other branch", { if: [{ var: "a.n" }, true, BELOW] }],
    ["a default of null", { "<": [{ var: ["a.n", null] }, 100] }],
    ["a guard outside of a list's rule", { and: [{ var: "a.n" }, { some: [{ var: "rows" }, BELOW] }] }],
  ])("is not mended by %s", (_, rule) => {
    expect(orderingOnMaybeMissing(rule).map(({ path }) => path)).toEqual(["a.n"])
  })
})
