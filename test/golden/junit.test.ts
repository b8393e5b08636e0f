import { describe, expect, test } from "vitest"
import { junit } from "../../golden/junit.ts"
import type { SuiteResult } from "../../golden/suite.ts"

const told = { file: "/x", durationMs: 1500 }
const suite = (more: Partial<SuiteResult>): SuiteResult => ({
  results: [],
  passed: 0,
  failed: 0,
  broken: 0,
  updated: 0,
  orphans: [],
  stale: [],
  files: [],
  programs: [],
  ...more,
})

describe("JUnit XML", () => {
  test("a passed, a failed and a broken case, and an orphan", () => {
    const xml = junit(
      suite({
        results: [
          { ...told, name: "good", outcome: "passed" },
          { ...told, name: "deep/in/missing", outcome: "failed", missing: true, differences: [] },
          { ...told, name: "odd", outcome: "broken", findings: [{ severity: "error", message: "no `event`" }] },
        ],
        orphans: ["old.golden.ndjson"],
      }),
    )
    expect(xml.split("\n").slice(0, 6)).toEqual([
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<testsuites name="detent" tests="4" failures="2" errors="1" time="4.500">',
      '  <testsuite name="detent" tests="4" failures="2" errors="1" time="4.500">',
      '    <testcase name="good" classname="cases" time="1.500"/>',
      '    <testcase name="missing" classname="deep.in" time="1.500"><failure message="it has no golden">write it with detent test --update</failure></testcase>',
      '    <testcase name="odd" classname="cases" time="1.500"><error message="the case could not be run">policy: error: no `event`</error></testcase>',
    ])
    expect(xml).toContain('<testcase name="old.golden.ndjson" classname="orphans"')
  })

  test("nothing that a hook says can break the XML", () => {
    const got = `</failure><!-- & "quotes" 'too' ]]> \u0000\u0008\u001b[31m \ud800 \ufffe 🙂`
    const xml = junit(
      suite({
        results: [
          {
            ...told,
            name: `a"<b>`,
            outcome: "failed",
            missing: false,
            differences: [{ how: "changed", line: 1, frame: got, members: [] }],
          },
        ],
      }),
    )
    const body = xml.slice(xml.indexOf("\n"))
    expect(body).toContain("&lt;/failure&gt;&lt;!-- &amp; &quot;quotes&quot; &apos;too&apos; ]]&gt;")
    expect(body).toContain("🙂")
    expect(body).toContain('name="a&quot;&lt;b&gt;"')
    // Characters that XML 1.0 has no way to hold, each of them.
    expect([...body].filter((char) => char !== "\n" && /[\p{Cc}\p{Cs}\ufffe\uffff]/u.test(char))).toEqual([])
  })
})
