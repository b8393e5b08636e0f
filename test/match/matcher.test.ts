import { beforeAll, describe, expect, it } from "vitest"
import { compileMatcher, matcherNeedsEngine, toolMatcher } from "../../policy/match/matcher.ts"
import { registerRe2 } from "../../policy/match/re2.ts"

beforeAll(registerRe2)

describe("a matcher", () => {
  it.each([
    ["Bash", "Bash", true],
    ["Bash", "bash", false],
    ["write_*", "write_file", true],
    ["/write_.*|edit/", "edit", true],
    ["/edit/", "edits", false],
    [["Bash", "write_*", "/ed.t/"], "edit", true],
    [["Bash", "write_*", "/ed.t/"], "read", false],
    ["/", "/", true],
    ["//", "", true],
    ["", "", true],
    ["", "x", false],
  ])("%j against %j: %j", (matcher, value, fits) => {
    expect(compileMatcher(matcher).test(value)).toBe(fits)
  })

  it("fits no absent value, but for `**`", () => {
    for (const matcher of ["*", "x", "/.*/", "", ["a", "*"], []])
      expect(compileMatcher(matcher).test(undefined)).toBe(false)
    expect(compileMatcher("**").test(undefined)).toBe(true)
    expect(compileMatcher(["a", "**"]).test(undefined)).toBe(true)
  })

  it("of an empty list fits nothing", () => {
    expect(compileMatcher([]).test("")).toBe(false)
    expect(compileMatcher([]).exact).toEqual([])
  })

  it("has its names for an index, where it is nothing but names", () => {
    expect(compileMatcher("Bash").exact).toEqual(["Bash"])
    expect(compileMatcher(["Bash", "Write"]).exact).toEqual(["Bash", "Write"])
    expect(compileMatcher(["Bash", "W*"]).exact).toBeUndefined()
    expect(compileMatcher("/Bash/").exact).toBeUndefined()
  })

  it("needs the engine for a regex that is not a simple one", () => {
    expect(matcherNeedsEngine(["a*", "/x.*/", "b+"])).toBe(false)
    expect(matcherNeedsEngine(["a*", "/x+/"])).toBe(true)
  })
})

describe("a matcher of tools", () => {
  it.each([
    ["read_file", "fs", "read_file", true],
    ["read_file", "other", "read_file", true],
    ["fs/read_file", "fs", "read_file", true],
    ["fs/read_file", "other", "read_file", false],
    ["fs/*", "fs", "read_file", true],
    ["fs/*", "fsx", "read_file", false],
    ["*/read_*", "fs", "read_file", true],
    ["mcp__fs__read_file", "fs", "read_file", true],
    ["mcp__fs__*", "fs", "read_file", true],
    ["mcp__fs__*", "fsx", "read_file", false],
    ["/mcp__.*/", "fs", "read_file", true],
    ["/^mcp__.*/", "fs", "read_file", true],
    ["/fs\\/.*/", "fs", "read_file", true],
    ["/read_.*/", "fs", "read_file", true],
    ["/read_.*/", "fs", "mcp__read_file", false],
    ["*", "fs", "read_file", true],
    ["**", "fs", "read_file", true],
    [["nope", "fs/write_*"], "fs", "write_file", true],
  ])("%j against %s, %s: %j", (matcher, server, tool, fits) => {
    expect(toolMatcher(matcher).test(server, tool)).toBe(fits)
  })

  it("does not mix up pairs that join to one name", () => {
    const acme = toolMatcher("acme_/status")
    expect(acme.test("acme_", "status")).toBe(true)
    expect(acme.test("acme", "_status")).toBe(false)
  })

  it("is not escaped by a slash in the name that a server gives its tool", () => {
    for (const matcher of ["*", "fs/*", "mcp__fs__*", "**"])
      expect(toolMatcher(matcher).test("fs", "a/b"), matcher).toBe(true)
    expect(toolMatcher("fs/a/b").test("fs", "a/b")).toBe(true)
  })

  it("takes `mcp__…` for every server's tools, and not for those that an agent brings itself", () => {
    for (const matcher of ["mcp__*", "/mcp__.*/"]) {
      expect(toolMatcher(matcher).test("claude-code", "Bash"), matcher).toBe(false)
      expect(toolMatcher(matcher).test("codex", "codex"), matcher).toBe(true)
      expect(toolMatcher(matcher).test("claude-code", "mcp__fs__read"), matcher).toBe(true)
    }
    expect(toolMatcher("mcp__fs__read").test("claude-code", "mcp__fs__read")).toBe(true)
  })

  it("has its names for an index, where it is nothing but names", () => {
    expect(toolMatcher(["Bash", "fs/read", "mcp__fs__read"]).exact).toEqual(["Bash", "fs/read", "mcp__fs__read"])
    expect(toolMatcher("fs/*").exact).toBeUndefined()
  })

  it("tells which regex is wrong", () => {
    expect(() => toolMatcher("/(a/")).toThrow("the pattern `(a` is not a valid regex")
  })
})
