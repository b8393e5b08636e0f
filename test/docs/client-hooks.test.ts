import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { HOOK } from "../../actions/hook-telemetry.ts"
import { EVENTS, HOOK_TIMEOUT_MS } from "../../dialects/conduit/events.ts"
import { OPTIONS } from "../../mcp/hooked/options.ts"
import { PASSAGES } from "../../mcp/hooked/passages.ts"

const page = readFileSync(new URL("../../docs/client-hooks.md", import.meta.url), "utf8")

/** The rows of the table under a heading, cell by cell. */
function rowsUnder(heading: string): string[][] {
  const part = page.split(`## ${heading}\n`)[1]?.split("\n## ")[0] ?? ""
  const rows = part.split("\n").filter((line) => line.startsWith("| "))
  return rows.slice(2).map((line) => line.split("|").map((cell) => cell.trim()))
}

describe("the page on hooks around a client", () => {
  it("has a row for each event, with as many parameters as its functions get", () => {
    const rows = rowsUnder("The six events").map(([, name, , given]) => [name, given?.split(",").length])
    expect(rows).toEqual(Object.entries(EVENTS).map(([name, { arity }]) => [`\`${name}\``, arity]))
  })

  it("has a row for each option of a client", () => {
    const names = rowsUnder("The options").flatMap(([, name]) => name?.match(/\w+/g) ?? [])
    expect(names.sort()).toEqual(Object.keys(OPTIONS).sort())
  })

  it("names the telemetry, the default timeout and as many methods as pass", () => {
    for (const name of Object.values(HOOK)) expect(page).toContain(`\`${name}\``)
    expect(page).toContain(`else ${HOOK_TIMEOUT_MS} `)
    expect(Object.keys(PASSAGES)).toHaveLength(4)
  })
})
