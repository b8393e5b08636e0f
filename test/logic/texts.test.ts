import { beforeAll, describe, expect, it } from "vitest"
import { compileTest } from "../../policy/logic/compile.ts"
import { ConditionError } from "../../policy/logic/condition-error.ts"
import { registerRe2 } from "../../policy/match/re2.ts"

beforeAll(registerRe2)

const holds = (rule: unknown, data: unknown = {}): boolean => compileTest(rule)(data)

describe("`matches`", () => {
  it.each([
    ["git push", "git push", true],
    ["git push --force", "git push", false],
    ["git push --force", "git push.*", true],
    ["please git push", "git push.*", false],
    ["please git push", "/.*git push/", true],
    ["abc123", "[a-z]+\\d+", true],
    ["abc123!", "[a-z]+\\d+", false],
    ["abc", "^a.c$", true],
    ["rm -rf /\nls", "rm .*", true],
  ])("holds the whole of %j against %j: %j", (text, pattern, fits) => {
    expect(holds({ matches: [{ var: "t" }, pattern] }, { t: text })).toBe(fits)
    expect(holds({ matches: [{ var: "t" }, { var: "p" }] }, { t: text, p: pattern })).toBe(fits)
    expect(holds({ matches: [text, pattern] })).toBe(fits)
  })

  it("takes time in line with the text, also for nested repeats", () => {
    expect(holds({ matches: [{ var: "t" }, "(a+)+$"] }, { t: `${"a".repeat(50_000)}!` })).toBe(false)
  })

  it.each(["(", "(?=x)y", "(a)\\1"])("with the pattern %j cannot be evaluated", (pattern) => {
    expect(() => holds({ matches: [{ var: "t" }, pattern] }, { t: "x" })).toThrow(ConditionError)
    expect(() => holds({ matches: [{ var: "t" }, { var: "p" }] }, { t: "x", p: pattern })).toThrow(ConditionError)
    expect(() => holds({ matches: [{ var: "t" }, pattern] }, {})).toThrow(ConditionError)
  })
})

describe.each(["matches", "glob", "under"])("`%s`", (op) => {
  it("is false for a text that is missing or null", () => {
    expect(holds({ [op]: [{ var: "t" }, "x"] }, {})).toBe(false)
    expect(holds({ [op]: [{ var: "t" }, "x"] }, { t: null })).toBe(false)
    expect(holds({ [op]: [null, "x"] })).toBe(false)
  })

  it.each([[5], [true], [["x"]], [{ x: 1, y: 2 }]])("cannot be evaluated on %j, which is no text", (t) => {
    expect(() => holds({ [op]: [{ var: "t" }, "x"] }, { t })).toThrow(ConditionError)
  })

  it.each([[5], [null], [{ x: 1, y: 2 }]])("cannot be evaluated with the pattern %j", (p) => {
    expect(() => holds({ [op]: ["x", { var: "p" }] }, { p })).toThrow(ConditionError)
    expect(() => holds({ [op]: ["x", p] })).toThrow(ConditionError)
  })

  it("does not tell the event's values in its error", () => {
    expect(() => holds({ [op]: [{ var: "t" }, "x"] }, { t: ["hunter2"] })).toThrow(/^(?!.*hunter2)/)
  })

  it("refuses a computed pattern of great length", () => {
    expect(() => holds({ [op]: ["x", { var: "p" }] }, { p: "*a".repeat(1000) })).toThrow(ConditionError)
  })
})

describe("`glob`", () => {
  it("takes one glob or a list of which one has to fit", () => {
    expect(holds({ glob: [".env", "**/.env*"] })).toBe(true)
    expect(holds({ glob: [{ var: "p" }, ["*.md", "src/**"]] }, { p: "src/a/b.ts" })).toBe(true)
    expect(holds({ glob: [{ var: "p" }, ["*.md", "src/**"]] }, { p: "lib/a.ts" })).toBe(false)
    expect(holds({ glob: ["x", []] })).toBe(false)
  })

  it("does not take slashes for a regex", () => {
    expect(holds({ glob: ["/tmp/", "/tmp/"] })).toBe(true)
    expect(holds({ glob: ["tmp", "/tmp/"] })).toBe(false)
  })
})

describe("`under`", () => {
  it.each([
    ["/repo", "/repo", true],
    ["/repo/", "/repo", true],
    ["/repo/a", "/repo", true],
    ["/repo/a", "/repo/", true],
    ["/repository", "/repo", false],
    ["/repo/../etc", "/repo", false],
    ["/repo/a/../b", "/repo", true],
    ["/repo/./a//b", "/repo//", true],
    ["/../../repo/a", "/repo", true],
    ["/etc/passwd", "/", true],
    ["src/a.ts", "src", true],
    ["./src/a.ts", "src", true],
    ["src/../../src/a.ts", "src", false],
    ["../src/a.ts", "src", false],
    ["../x/y", "../x", false],
    ["a", ".", true],
    ["..", ".", false],
    ["src", "/src", false],
    ["/src", "src", false],
    ["src\\..\\..\\etc", "src", false],
    ["src/..\\..\\etc", "src", true],
    ["Src/a", "src", false],
  ])("%j, the folder %j: %j", (path, folder, inside) => {
    expect(holds({ under: [{ var: "p" }, folder] }, { p: path })).toBe(inside)
    expect(holds({ under: [path, { var: "f" }] }, { f: folder })).toBe(inside)
  })

  it("takes a list of folders", () => {
    expect(holds({ under: ["/b/c", ["/a", "/b"]] })).toBe(true)
    expect(holds({ under: ["/c", ["/a", "/b"]] })).toBe(false)
  })
})
