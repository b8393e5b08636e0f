import { spawnSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { goldenCases } from "../../golden.ts"

const QUICKSTART = new URL("../../examples/quickstart/", import.meta.url)
const ROOT = fileURLToPath(new URL("../..", import.meta.url))
const json = (path: string) => JSON.parse(readFileSync(new URL(path, QUICKSTART), "utf8"))

interface Agents {
  readonly eventOf: (sent: unknown) => object
}
const { eventOf } = (await import(new URL("agents.mjs", QUICKSTART).href)) as Agents

goldenCases(new URL("cases", QUICKSTART))

describe("the events of the quickstart", () => {
  it("are what its payloads become", () => {
    const calls = readdirSync(new URL("calls", QUICKSTART)).sort()
    expect(readdirSync(new URL("events", QUICKSTART)).sort()).toEqual(calls.map((name) => `${name.slice(0, 2)}.json`))
    for (const name of calls) expect(json(`events/${name.slice(0, 2)}.json`)).toEqual(eventOf(json(`calls/${name}`)))
  })
})

describe("the tour", () => {
  const env = { ...process.env, NO_COLOR: "1", FORCE_COLOR: "", COLUMNS: "80", DETENT_HOOKS_AUTONOMY: "off" }
  const tour = spawnSync(process.execPath, ["examples/quickstart/tour.mjs"], { cwd: ROOT, env, encoding: "utf8" })

  it("tells of everything that can become of a call, whatever the settings of who runs it", () => {
    expect(tour.stderr).not.toContain("Error")
    expect(tour.status).toBe(0)
    for (const told of [
      "refused:",
      "asked:",
      "advised:",
      "failed:",
      "replaced",
      "lowered from apply",
      "dropped `apply`",
    ])
      expect(tour.stdout).toContain(told)
    expect(tour.stdout).toMatch(/^dana {14}4 {6}1 {10}2 {8}3 {8}0 {8}1 {7}1$/m)
    expect(tour.stdout).toMatch(/^deploy-bot {8}4 {6}2 {10}1 {8}3 {8}1 {8}2 {7}1$/m)
    expect(tour.stdout).toContain('"refused":1')
  })

  it("shows no secret, and leaves nothing in its folder", () => {
    expect(tour.stdout + tour.stderr).not.toContain("ghp_")
    expect(existsSync(new URL(".detent", QUICKSTART))).toBe(false)
  })
})
