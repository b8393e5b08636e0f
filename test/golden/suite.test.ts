import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { createEngine } from "../../actions/engine.ts"
import { showCoverage, showResult } from "../../golden/show.ts"
import { runSuite, type SuiteOptions } from "../../golden/suite.ts"
import { updateRefusal } from "../../golden/update.ts"
import { EVENT, folderOf, GUARD, put } from "./world.ts"

const run = (dir: string, options: Omit<SuiteOptions, "createEngine"> = {}) =>
  runSuite(dir, { createEngine, ...options })
const goldenOf = (dir: string, name: string) => readFileSync(join(dir, `${name}.golden.ndjson`), "utf8")
const framesOf = (dir: string, name: string) =>
  goldenOf(dir, name)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>)

describe("a suite", () => {
  test("a case without its golden fails and says --update; written, it passes", async () => {
    const dir = folderOf({ "a.case.yaml": GUARD + EVENT })
    const first = await run(dir)
    expect(first).toMatchObject({ passed: 0, failed: 1, broken: 0 })
    expect(showResult(first.results[0]!)[0]).toContain("--update")
    expect(existsSync(join(dir, "a.golden.ndjson"))).toBe(false)
    expect(await run(dir, { update: true })).toMatchObject({ updated: 1, failed: 0 })
    expect(goldenOf(dir, "a")).toBe(
      '{"type":"hook","on":"call","phase":"before","hook":"guard","action":"rule","effect":"ask","durationMs":0,"changed":false,"refuse":{"reason":"no"}}\n' +
        '{"type":"verdict","outcome":"refuse","input":{"path":"a.txt"},"advice":[],"proposals":[],"questions":[],"refusal":{"hook":"guard","reason":"no"}}\n',
    )
    expect(await run(dir)).toMatchObject({ passed: 1, failed: 0, updated: 0 })
  })

  test("what is not a golden's bytes is a failure, and the member that differs is named", async () => {
    const dir = folderOf({ "a.case.yaml": GUARD + EVENT })
    await run(dir, { update: true })
    put(dir, "a.golden.ndjson", goldenOf(dir, "a").replaceAll('"reason":"no"', '"reason":"yes"'))
    const { results } = await run(dir)
    expect(showResult(results[0]!)).toEqual([
      "hook `guard` in call before (line 1 of the golden)",
      '  - refuse.reason: "yes"',
      '  + refuse.reason: "no"',
      "verdict (line 2 of the golden)",
      '  - refusal.reason: "yes"',
      '  + refusal.reason: "no"',
    ])
  })

  test("cases are told in the order of their names, whichever ends first", async () => {
    const slow = `policy: { hooks: [{ id: s, on: call, phase: before, run: [sh, -c, "sleep 0.2"] }] }\n${EVENT}`
    const dir = folderOf({ "b.case.yaml": GUARD + EVENT, "a.case.yaml": slow, "c/d.case.yaml": GUARD + EVENT })
    const told: string[] = []
    await run(dir, { update: true, onResult: ({ name }) => told.push(name) })
    expect(told).toEqual(["a", "b", "c/d"])
  })

  test("folders that are nobody's own are left out, and one case can be named alone", async () => {
    const dir = folderOf({
      "a.case.yaml": GUARD + EVENT,
      "b.case.yaml": GUARD + EVENT,
      "node_modules/x.case.yaml": "no case",
      ".git/x.case.yaml": "no case",
    })
    expect((await run(dir)).results.map(({ name }) => name)).toEqual(["a", "b"])
    expect((await run(join(dir, "b.case.yaml"))).results.map(({ name }) => name)).toEqual(["b"])
    await expect(run(join(dir, "nowhere"))).rejects.toThrow("there is no folder")
  })

  test("a broken case breaks itself alone, and is never written", async () => {
    const prompt = `policy: { hooks: [{ id: judge, on: call, phase: before, prompt: "Is @args fine?" }] }\n${EVENT}`
    const dir = folderOf({ "a.case.yaml": "event: {}\n", "b.case.yaml": GUARD + EVENT, "c.case.yaml": prompt })
    const result = await run(dir, { update: true })
    expect(result).toMatchObject({ broken: 2, updated: 1 })
    expect(readdirSync(dir).sort()).toEqual(["a.case.yaml", "b.case.yaml", "b.golden.ndjson", "c.case.yaml"])
    expect(showResult(result.results[2]!)).toEqual([
      "c.case.yaml: error: `judge` has no entry in `outputs`, and `cassettes` holds no recording of this request: `detent test --live --update` asks the model and records what it says",
    ])
  })

  test("a golden without a case is an orphan, and a name that is nearly a case's is broken", async () => {
    const dir = folderOf({ "a.golden.ndjson": "{}\n", "b.case.yml": GUARD + EVENT })
    const result = await run(dir)
    expect(result).toMatchObject({ orphans: ["a.golden.ndjson"], broken: 1 })
    expect(showResult(result.results[0]!)[0]).toContain("NAME.case.yaml")
  })

  test("goldens are not written where CI is set", () => {
    expect(updateRefusal({ CI: "true" })).toContain("`CI` is set")
    expect(updateRefusal({ CI: "" })).toBeUndefined()
    expect(updateRefusal({})).toBeUndefined()
  })
})

describe("what is in a golden is the same on every machine and in every run", () => {
  test("ids are counted, durations are 0, and the policy's line is left out", async () => {
    const policy = (more: string) =>
      `${more}autonomy.max: ask\nhooks: [{ id: m, on: call, phase: before, effect: apply, rule: { ask: "sure?" } }]\n`
    const dir = folderOf({
      "detent.yaml": policy(""),
      "a.case.yaml": `policy: detent.yaml\n${EVENT}operation: { result: 1 }\nanswers: { m: yes }\n`,
    })
    await run(dir, { update: true })
    const frames = framesOf(dir, "a")
    expect(frames.find(({ type }) => type === "start")).toEqual({ type: "start", runId: "run-1" })
    expect(frames.find(({ type }) => type === "ask")).toMatchObject({ approval: "approval-1" })
    expect(frames.filter(({ durationMs }) => durationMs !== undefined && durationMs !== 0)).toEqual([])
    expect(frames.find(({ type }) => type === "hook")).toMatchObject({
      ceilings: [{ by: "daemon", origin: "autonomy.max (detent.yaml)" }],
    })
    put(dir, "detent.yaml", policy("# a comment\n"))
    expect(await run(dir)).toMatchObject({ passed: 1 })
  })

  test("folders of this machine are written from the case's own", async () => {
    const dir = folderOf({
      "rules/detent.yaml": "hooks: [{ id: where, on: call, phase: before, module: where.mjs }]\n",
      "rules/where.mjs": "export default () => ({ advise: new URL('.', import.meta.url).pathname })\n",
      "cases/a.case.yaml": `policy: ../rules/detent.yaml\n${EVENT}`,
    })
    await run(dir, { update: true })
    expect(goldenOf(dir, "cases/a")).toContain('"text":"../rules')
    expect(goldenOf(dir, "cases/a")).not.toContain(dir)
  })

  test("a setting tightens the policy's hooks.autonomy and never loosens it", async () => {
    const policy =
      "policy: { hooks.autonomy: advise, hooks: [{ id: g, on: call, phase: before, effect: ask, rule: { refuse: no } }] }\n"
    const dir = folderOf({
      "a.case.yaml": `${policy}${EVENT}settings: { hooks.autonomy: run }\n`,
      "b.case.yaml": `${policy}${EVENT}settings: { hooks.autonomy: "off" }\n`,
    })
    await run(dir, { update: true })
    expect(framesOf(dir, "a")[0]).toMatchObject({
      effect: "advise",
      ceilings: [{ origin: "hooks.autonomy (a.case.yaml)" }],
    })
    expect(framesOf(dir, "b")[0]).toMatchObject({ effect: "off", ceilings: [{ origin: "hooks.autonomy (settings)" }] })
  })

  test("observers' frames stand before the verdict, in the order of what they observed", async () => {
    const dir = folderOf({
      "a.case.yaml": `policy:
  hooks:
    - { id: slow, on: call., phase: observe, run: [sh, -c, "sleep 0.1"] }
    - { id: quick, on: call., phase: observe, run: ["true"] }
${EVENT}operation: { result: 1 }
`,
    })
    await run(dir, { update: true })
    const observed = framesOf(dir, "a").filter(({ phase }) => phase === "observe")
    const order = observed.map(({ on, hook }) => `${on} ${hook}`)
    const kinds = ["call.started", "call.decided", "call.decided", "call.decided", "call.finished"]
    expect(order.filter((one) => one.endsWith("slow"))).toEqual(kinds.map((kind) => `${kind} slow`))
    expect(order).toEqual(kinds.flatMap((kind) => [`${kind} slow`, `${kind} quick`]))
    expect(framesOf(dir, "a").at(-1)).toMatchObject({ type: "verdict" })
  })
})

describe("coverage", () => {
  const POLICY = `autonomy.max: apply
ceilings:
  - { id: used, if: { "==": [{ var: caller.env }, prod] }, max: ask }
  - { id: unused, if: { "==": [{ var: caller.env }, moon] }, max: advise }
hooks:
  - { id: fired, on: call, phase: before, effect: apply, rule: { apply: { input: {} } } }
  - { id: elsewhere, on: call, phase: suffix, rule: { advise: x } }
  - { id: skipped, on: call, phase: before, enabled: false, rule: { advise: x } }
`

  test("hooks that no case fires and ceilings that no case exercises are named, with their places", async () => {
    const dir = folderOf({
      "detent.yaml": POLICY,
      "a.case.yaml": `policy: detent.yaml\n${EVENT}caller: { id: ann, env: prod }\n`,
    })
    const { coverage } = await run(dir, { coverage: true })
    expect(showCoverage(coverage!)).toEqual([
      "detent.yaml: no case fires the hook `elsewhere` (detent.yaml:7)",
      "detent.yaml: no case fires the hook `skipped` (detent.yaml:8)",
      "detent.yaml: no case exercises the ceiling `autonomy.max` (detent.yaml:1)",
      "detent.yaml: no case exercises the ceiling `unused` (detent.yaml:4)",
    ])
  })

  test("a ceiling that drops a key above the hook's own effect is exercised", async () => {
    const dir = folderOf({
      "detent.yaml": "ceilings: [{ id: low, max: advise }]\nhooks: [{ id: n, on: call, phase: before, run: [n] }]\n",
      "a.case.yaml": `policy: detent.yaml\n${EVENT}outputs: { n: { refuse: "no" } }\n`,
    })
    const { coverage } = await run(dir, { coverage: true })
    expect(showCoverage(coverage!)).toEqual(["every hook and ceiling of the policy is covered"])
  })

  test("several cases cover one policy together", async () => {
    const dir = folderOf({
      "detent.yaml":
        "hooks:\n  - { id: a, on: call, phase: before, rule: { advise: a } }\n  - { id: b, on: call, phase: suffix, rule: { advise: b } }\n",
      "cases/a.case.yaml": `policy: ../detent.yaml\n${EVENT}`,
      "cases/b.case.yaml":
        "policy: ../detent.yaml\nevent: { on: call, phase: suffix, server: fs, tool: x, result: 1 }\n",
    })
    const { coverage } = await run(dir, { coverage: true })
    expect(coverage!.policies).toEqual([{ file: "../detent.yaml", hooks: [], ceilings: [] }])
  })
})
