import { showFinding } from "../policy/findings.ts"
import type { CaseResult } from "./result.ts"
import { showDifferences } from "./show.ts"
import type { SuiteResult } from "./suite.ts"

/** The results as JUnit XML, which CI servers show. An orphaned golden is a failed test of its own. */
export function junit({ results, orphans }: SuiteResult, suite = "detent"): string {
  const failures = results.filter(({ outcome }) => outcome === "failed").length + orphans.length
  const errors = results.filter(({ outcome }) => outcome === "broken").length
  const time = results.reduce((sum, { durationMs }) => sum + durationMs, 0)
  const tests = results.length + orphans.length
  const counts = `tests="${tests}" failures="${failures}" errors="${errors}" time="${seconds(time)}"`
  const cases = [...results.map(testCase), ...orphans.map(orphanCase)]
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${escaped(suite)}" ${counts}>`,
    `  <testsuite name="${escaped(suite)}" ${counts}>`,
    ...cases.map((text) => `    ${text}`),
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n")
}

function testCase(result: CaseResult): string {
  const slash = result.name.lastIndexOf("/")
  const place = slash < 0 ? "cases" : result.name.slice(0, slash).replaceAll("/", ".")
  const name = result.name.slice(slash + 1)
  const open = `<testcase name="${escaped(name)}" classname="${escaped(place)}" time="${seconds(result.durationMs)}"`
  const inner = problemOf(result)
  return inner === undefined ? `${open}/>` : `${open}>${inner}</testcase>`
}

function problemOf(result: CaseResult): string | undefined {
  if (result.outcome === "broken") {
    return element("error", "the case could not be run", result.findings.map(showFinding))
  }
  if (result.outcome !== "failed") return undefined
  if (result.missing) return element("failure", "it has no golden", ["write it with detent test --update"])
  return element("failure", "it differs from its golden", showDifferences(result.differences))
}

const orphanCase = (file: string): string =>
  `<testcase name="${escaped(file)}" classname="orphans" time="0.000">${element("failure", "a golden without a case", [file])}</testcase>`

const element = (tag: string, message: string, lines: readonly string[]): string =>
  `<${tag} message="${escaped(message)}">${escaped(lines.join("\n"))}</${tag}>`

const seconds = (ms: number): string => (ms / 1000).toFixed(3)

const NAMES: Readonly<Record<string, string>> = Object.freeze({
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
})

/** XML 1.0 cannot hold most control characters and no lone surrogates, not even escaped: a mark stands for each. */
function escaped(text: string): string {
  let made = ""
  for (const char of text) {
    const code = char.codePointAt(0)!
    if (code === 0x9 || code === 0xa || code === 0xd) made += code === 0xa ? char : `&#${code};`
    else if (code < 0x20 || (code >= 0xd800 && code <= 0xdfff) || code === 0xfffe || code === 0xffff) made += "\ufffd"
    else made += NAMES[char] ?? char
  }
  return made
}
