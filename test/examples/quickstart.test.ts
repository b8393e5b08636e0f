import { spawnSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { createEngine } from "../../actions/engine.ts"
import { goldenCases } from "../../golden.ts"
import { runEval } from "../../govern/eval/run.ts"
import { readSet } from "../../govern/eval/set.ts"

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

describe("the judged events of the quickstart", () => {
  it("get from the recordings what they are labelled with, and no model is asked", async () => {
    const set = readSet(fileURLToPath(new URL("judges/auth.eval.yaml", QUICKSTART)))
    const side = { name: "recorded", policy: set.policy, model: {} }
    const options = { createEngine, settings: {}, mode: "replay", samples: 1 } as const
    const { hooks, missing } = await runEval(set, [side], options)
    expect(missing).toEqual([])
    expect(hooks[0]?.score).toMatchObject({ events: 3, accuracy: 1 })
  })
})

describe("the tour", () => {
  const env = {
    ...process.env,
    NO_COLOR: "1",
    FORCE_COLOR: "",
    COLUMNS: "80",
    DETENT_HOOKS_AUTONOMY: "off",
    OPENAI_API_KEY: "",
  }
  // What someone has tried by hand may be there already.
  const before = readdirSync(QUICKSTART, { recursive: true }).sort()
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
    expect(tour.stdout).toMatch(/^dana {14}4 {6}1 {10}2 {8}4 {8}0 {8}2 {7}1$/m)
    expect(tour.stdout).toMatch(/^deploy-bot {8}4 {6}2 {10}1 {8}4 {8}1 {8}3 {7}1$/m)
    expect(tour.stdout).toContain('"refused":1')
    expect(tour.stdout).toContain("answered from a recording, since OPENAI_API_KEY is not set")
  })

  it("shows no secret, and leaves nothing in its folder", () => {
    expect(tour.stdout + tour.stderr).not.toContain("ghp_")
    expect(readdirSync(QUICKSTART, { recursive: true }).sort()).toEqual(before)
  })
})
