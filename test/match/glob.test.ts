import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { compileGlob } from "../../policy/match/glob.ts"

describe("a glob", () => {
  it.each([
    ["a.ts", "a.ts", true],
    ["a.ts", "axts", false],
    ["*", "anything", true],
    ["*", "", true],
    ["*", "a/b", false],
    ["**", "a/b", true],
    ["**", "", true],
    ["*.ts", "a.ts", true],
    ["*.ts", ".ts", true],
    ["*.ts", "a/b.ts", false],
    ["src/*", "src/a", true],
    ["src/*", "src/a/b", false],
    ["src/*", "src", false],
    ["**/.env*", ".env", true],
    ["**/.env*", ".env.local", true],
    ["**/.env*", "a/b/.env", true],
    ["**/.env*", "a/x.env", false],
    ["**/.env*", "/.env", true],
    ["**/.env*", ".env/x", false],
    ["a/**", "a", false],
    ["a/**", "a/", false],
    ["a/**", "a/b", true],
    ["a/**", "a/b/c", true],
    ["a/**", "ab", false],
    ["a/**/b", "a/b", true],
    ["a/**/b", "a/x/y/b", true],
    ["a/**/b", "a/xb", false],
    ["a/**/b", "ab", false],
    ["**/**", "a", true],
    ["**/a/**", "x/a/y", true],
    ["**/a/**", "a/y", true],
    ["a**b", "a/x/b", true],
    ["a**b", "ab", true],
    ["*/x", "a/x", true],
    ["*/x", "x", false],
    ["mcp__*__read", "mcp__fs__read", true],
    ["mcp__*__read", "mcp__fs__read_file", false],
    ["a?[b]{c,d}+(e)", "a?[b]{c,d}+(e)", true],
    ["a?", "ab", false],
    ["[ab]*", "a", false],
    ["{a,b}*", "a", false],
    ["a\\*", "a\\b", true],
    [".*", ".git", true],
    ["*", ".git", true],
    ["*", "two\nlines", true],
    ["file:///etc/**", "file:///etc/passwd", true],
  ])("%j against %j: %j", (glob, text, fits) => {
    expect(compileGlob(glob)(text)).toBe(fits)
  })

  it("comes to what an obvious regex of it does", () => {
    const glob = fc
      .array(fc.constantFrom("*", "**", "**/", "/**", "/", "a", "b", "."), { maxLength: 7 })
      .map((p) => p.join(""))
    const text = fc.array(fc.constantFrom("a", "b", ".", "/"), { maxLength: 9 }).map((parts) => parts.join(""))
    fc.assert(
      fc.property(glob, text, (pattern, value) => {
        expect(compileGlob(pattern)(value)).toBe(obvious(pattern).test(value))
      }),
      { numRuns: 5000 },
    )
  })

  it("takes time in line with the text, however many stars it has", () => {
    const started = performance.now()
    expect(compileGlob(`${"a*".repeat(40)}b`)("a".repeat(50_000))).toBe(false)
    expect(compileGlob(`${"**/a*".repeat(20)}b*c`)(`${"a/".repeat(20_000)}c`)).toBe(false)
    // backtracking would take longer than the world has existed
    expect(performance.now() - started).toBeLessThan(20_000)
  })
})

/** The glob's rules as a regex, written the slow way. */
function obvious(glob: string): RegExp {
  let source = ""
  for (let at = 0; at < glob.length; ) {
    const stars = /^\*+/.exec(glob.slice(at))?.[0].length ?? 0
    const opens = at === 0 || glob[at - 1] === "/"
    const closes = at + stars === glob.length
    if (stars === 0) source += glob[at]!.replace(/[.]/, "\\.")
    else if (stars === 1) source += "[^/]*"
    else if (opens && glob[at + stars] === "/") {
      source += "(?:[^]*/)?"
      at++
    } else if (opens && closes && at > 0) source += "[^]+"
    else source += "[^]*"
    at += stars || 1
  }
  return new RegExp(`^${source}$`)
}
