import fc from "fast-check"
import { beforeEach, describe, expect, it, vi } from "vitest"

/** A fresh module for each test: whether an engine is registered is the module's own state. */
const load = async () => await import("../../policy/match/regex.ts")

beforeEach(() => {
  vi.resetModules()
})

const SIMPLE: readonly [string, string, boolean][] = [
  ["mcp__.*", "mcp__fs__read_file", true],
  ["mcp__.*", "notmcp__fs__read_file", false],
  ["mcp__brave-search", "mcp__brave-search__web", false],
  ["mcp__brave-search__.*", "mcp__brave-search__web", true],
  ["write_file|edit_file", "write_file2", false],
  ["write_file|edit_file", "edit_file", true],
  ["bash", "Bash", false],
  [".*", "", true],
  [".+", "", false],
  ["", "", true],
  ["", "anything", false],
  ["bash\\n", "bash", false],
  ["bash\\n", "bash\n", true],
  ["^Bash$", "Bash", true],
  ["^(Bash|Write)$", "Write", true],
  ["(?:Bash|Write)", "Writes", false],
  ["^a|b$", "a", true],
  ["a.*b.*c", "a-b-b-c", true],
  ["a.*b.+c", "a-bc", false],
  ["a.+a", "aa", false],
  ["ab.*ba", "aba", false],
  [".*\\.env", "x/.env", true],
  [".*\\.env", "xenv", false],
  ["rm .*", "rm -rf /\nls", true],
]

describe("a regex of literals, `.*` and `|`", () => {
  it.each(SIMPLE)("%j against %j: %j, without an engine", async (source, text, fits) => {
    const { compileRegex, regexNeedsEngine } = await load()
    expect(regexNeedsEngine(source)).toBe(false)
    expect(compileRegex(source)(text)).toBe(fits)
  })

  it("comes to what the engine makes of it", async () => {
    const { readSimple } = await import("../../policy/match/simple.ts")
    const { compileRegex } = await load()
    const { RE2JS } = await import("re2js")
    const source = fc
      .array(fc.constantFrom("a", "b", ".*", ".+", "|", "^", "$", "\\.", "(", ")", "(?:", "*", "+", "?", "{2}", "."), {
        maxLength: 7,
      })
      .map((parts) => parts.join(""))
    const text = fc.array(fc.constantFrom("a", "b", ".", "\n"), { maxLength: 6 }).map((parts) => parts.join(""))
    fc.assert(
      fc.property(source, text, (pattern, value) => {
        fc.pre(readSimple(pattern) !== undefined)
        expect(compileRegex(pattern)(value)).toBe(RE2JS.compile(pattern, RE2JS.DOTALL).testExact(value))
      }),
      { numRuns: 3000 },
    )
  })
})

describe("any other regex", () => {
  it.each(["a+", "[ab]", "a{2}", "\\d", "a.b", "(a)(b)", "a?", "(?i)a", "x(a|b)", "a^b", "\\"])(
    "%j needs the engine",
    async (source) => {
      const { compileRegex, regexNeedsEngine, hasRegexEngine } = await load()
      expect(regexNeedsEngine(source)).toBe(true)
      expect(hasRegexEngine()).toBe(false)
      expect(() => compileRegex(source)).toThrow("needs the regex engine, which is not loaded")
    },
  )

  it("is compiled by it once it is there, and held against the whole", async () => {
    await import("../../policy/match/re2.ts")
    const { compileRegex } = await load()
    expect(compileRegex("[a-z]+")("abc")).toBe(true)
    expect(compileRegex("[a-z]+")("abc1")).toBe(false)
    expect(compileRegex("(?i)bash")("Bash")).toBe(true)
    expect(compileRegex("a.b")("a\nb")).toBe(true)
  })

  it.each(["(a+)+$", "(\\d|\\d\\d)+", "(([a-z])+.)+[A-Z]([a-z])+", "^(a+)+$"])(
    "%j takes time in line with the text",
    async (source) => {
      await import("../../policy/match/re2.ts")
      const { compileRegex } = await load()
      const test = compileRegex(source)
      for (const text of [`${"a".repeat(5000)}!`, `${"7".repeat(5000)}x!`, "a".repeat(5000)])
        expect(typeof test(text)).toBe("boolean")
      expect(test(`${"a".repeat(40)}!`)).toBe(false)
    },
  )

  it("that is invalid says what is wrong, and how to mend it", async () => {
    await import("../../policy/match/re2.ts")
    const { compileRegex } = await load()
    expect(() => compileRegex("(a")).toThrow(/^the pattern `\(a` is not a valid regex: missing closing \)/)
    for (const source of ["(?=a)b", "(?<!a)b", "(a)\\1"]) {
      let hint: unknown
      try {
        compileRegex(source)
      } catch (error) {
        hint = (error as { hint?: unknown }).hint
      }
      expect(hint, source).toContain("no backreferences and no lookaround")
    }
  })
})
