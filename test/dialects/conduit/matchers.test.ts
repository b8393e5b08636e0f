import { describe, expect, it } from "vitest"
import "../../../policy/match/re2.ts"
import { foldRegex } from "../../../dialects/conduit/loose.ts"
import { compileMatcher, named } from "../../../dialects/conduit/matcher.ts"
import type { HookMatcher } from "../../../dialects/conduit/types.ts"

const fits = (matcher: HookMatcher, server: string, name: string, names: "tool" | "uri" | "prompt" = "tool") =>
  compileMatcher(matcher, names).test(named(server, name))

describe("a matcher of tools", () => {
  it.each<[HookMatcher, string, string, boolean]>([
    ["all", "fs", "read_file", true],
    ["any", "fs", "read_file", true],
    ["*", "fs", "a/b", true],
    ["fs/*", "fs", "read_file", true],
    ["fs/*", "fs", "odd/name", true],
    ["fs/*", "fs2", "read_file", false],
    ["fs/read_file", "fs", "read_file", true],
    ["fs/read_file", "fs", "Read-File", true],
    ["fs/read_file", "FS", "READ.FILE", true],
    ["fs/Read.File", "fs", "read-file", true],
    ["my_server/x", "My-Server", "x", true],
    ["fs/read_file", "fs", "read_file2", false],
    ["fs/read_file", "fs", "readfile", false],
    ["fs/write_*", "fs", "Write-Anything", true],
    ["fs/write_*", "fs", "write_a/b", true],
    ["fs/*_file", "fs", "read-file", true],
    ["read_file", "any-server", "Read.File", true],
    ["read_file", "fs", "read_files", false],
    ["*/delete*", "db", "Delete-Row", true],
    ["f*/read", "fs", "read", true],
    ["fs/a/b", "fs", "a/b", true],
    [["fs", /^read/], "fs", "READ_file", true],
    [["fs", /^read/], "fs", "thread", false],
    [["fs", /file$/], "fs", "read-file", true],
    [["fs", /d_f/], "fs", "read-file", true],
    [["fs", /d-f/], "fs", "read_file", true],
    [["fs", /d\.f/], "fs", "read_file", true],
    [["fs", /d[_]f/], "fs", "read.file", true],
    [["fs", /d[^-]f/], "fs", "read_file", true],
    [["fs", /d[^-]f/], "fs", "read-file", false],
    [["fs", /^(get|read)-file$/i], "fs", "Read.File", true],
    [["fs", /read/], "other", "read", false],
    [["*", /read/], "other", "read", true],
  ])("%s at %s/%s: %s", (matcher, server, tool, expected) => {
    expect(fits(matcher, server, tool)).toBe(expected)
  })

  it("takes linear time, whatever the tool is called (g30)", () => {
    // A regex that goes back would not end in this test's time.
    expect(fits(["fs", /^(a+)+$/], "fs", `${"a".repeat(400)}!`)).toBe(false)
  })
})

describe("a matcher of resources", () => {
  it.each<[HookMatcher, string, string, boolean]>([
    ["file:///docs/*", "fs", "file:///docs/a.md", true],
    ["file:///docs/*", "fs", "file:///docs/a/b.md", false],
    ["file:///docs/**", "fs", "file:///docs/a/b.md", true],
    ["fs/file:///docs/*", "fs", "file:///docs/a.md", true],
    ["fs/file:///docs/*", "other", "file:///docs/a.md", false],
    ["fs/*", "fs", "file:///docs/a/b.md", true],
    ["FILE:///my_docs/*", "fs", "file:///My-Docs/a", true],
    ["urn:x:1", "fs", "URN:X:1", true],
    [["fs", /docs/], "fs", "file:///docs/a", true],
  ])("%s at %s %s: %s", (matcher, server, uri, expected) => {
    expect(fits(matcher, server, uri, "uri")).toBe(expected)
  })
})

describe("a regex that is folded", () => {
  it.each([
    [/a-b/, "a_b"],
    [/a\.b/, "a_b"],
    [/a.b/, "a.b"],
    [/[a-z.]/, "[a-z_]"],
    [/[-a]/, "[_a]"],
    [/[^-a]/, "[^_a]"],
    [/[a-]/, "[a_]"],
    [/[+-.]/, "[+-.]"],
    [/\w-/, "\\w_"],
  ])("%s is %s", (regex, folded) => {
    expect(foldRegex(regex.source)).toBe(folded)
  })
})
