import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createEngine } from "../../actions/engine.ts"
import { runSuite, type SuiteOptions } from "../../golden/suite.ts"
import { ModelServer } from "../prompts/model-server.ts"

let server: ModelServer
beforeAll(async () => {
  server = await ModelServer.start()
})
afterAll(() => server.close())

/** A folder with one case whose prompt no output answers. */
function folder(prompt = "Judge @args"): string {
  const dir = mkdtempSync(join(tmpdir(), "cassettes-"))
  write(dir, prompt)
  return dir
}

function write(dir: string, prompt: string): void {
  const model = { provider: "openai", name: "m", baseUrl: server.baseUrl("openai") }
  const hook = { id: "judge", on: "call", phase: "before", effect: "ask", timeoutMs: 20_000, prompt }
  writeFileSync(join(dir, "p.json"), JSON.stringify({ version: 1, model, hooks: [hook] }))
  const event = "{ on: call, phase: before, server: fs, tool: write, args: { path: .env } }"
  writeFileSync(join(dir, "judged.case.yaml"), `policy: p.json\nevent: ${event}\n`)
}

const run = (dir: string, options: Omit<SuiteOptions, "createEngine"> = {}) =>
  runSuite(dir, { createEngine, ...options })

const recordings = (dir: string): string[] => readdirSync(join(dir, "cassettes"))

async function recorded(prompt?: string): Promise<string> {
  const dir = folder(prompt)
  server.answer({ text: '{"refuse":"no"}' })
  expect(await run(dir, { live: true, update: true })).toMatchObject({ updated: 1, broken: 0 })
  server.answer({ status: 500 })
  return dir
}

describe("a prompt in a golden case", () => {
  it("without a recording breaks the case, and says how to record one; no model is asked", async () => {
    const dir = folder()
    server.answer({ text: "{}" })
    const { broken, results } = await run(dir)
    expect(broken).toBe(1)
    expect(JSON.stringify(results)).toContain("`detent test --live --update` asks the model")
    expect(server.received).toEqual([])
  })

  it("is recorded by --live --update, and played ever after without a network", async () => {
    const dir = await recorded()
    expect(recordings(dir)).toHaveLength(1)
    expect(await run(dir)).toMatchObject({ passed: 1, failed: 0, broken: 0, stale: [] })
    expect(server.received).toEqual([])
  })

  it("has a golden in which the recorded answer counts, and says that it is one", async () => {
    const dir = await recorded()
    const [frame, verdict] = readFileSync(join(dir, "judged.golden.ndjson"), "utf8").trim().split("\n")
    expect(JSON.parse(frame!)).toMatchObject({ refuse: { reason: "no" }, notes: ["the answer is a recorded one"] })
    expect(JSON.parse(verdict!)).toMatchObject({ outcome: "refuse" })
  })

  it("with --live passes where the verdict is the same in other words", async () => {
    const dir = await recorded()
    server.answer({ text: '{"refuse":"certainly not"}' })
    expect(await run(dir, { live: true })).toMatchObject({ passed: 1, failed: 0 })
    expect(server.received).toHaveLength(1)
    expect(recordings(dir)).toHaveLength(1)
  })

  it("with --live tells which verdict has changed, and writes nothing", async () => {
    const dir = await recorded()
    const before = readFileSync(join(dir, "cassettes", recordings(dir)[0]!), "utf8")
    server.answer({ text: '{"advise":"hm"}' })
    const { failed, results } = await run(dir, { live: true })
    expect(failed).toBe(1)
    expect(results[0]).toMatchObject({
      differences: [
        { frame: "hook `judge` in call before", members: [{ path: "says", expected: "refuse", got: "advise" }] },
        { frame: "verdict", members: [{ path: "says", expected: "refuse", got: "continue" }] },
      ],
    })
    expect(readFileSync(join(dir, "cassettes", recordings(dir)[0]!), "utf8")).toBe(before)
  })

  it("with --live tells of a model that fails", async () => {
    const dir = await recorded()
    server.answer({ status: 400 })
    const { results } = await run(dir, { live: true })
    expect(results[0]).toMatchObject({ differences: [{ members: [{ got: "failed: model-error" }] }, {}] })
  })

  it("whose text has changed leaves a stale recording behind, which is named", async () => {
    const dir = await recorded()
    const [old] = recordings(dir)
    write(dir, "Judge this: @args")
    expect(await run(dir)).toMatchObject({ broken: 1, stale: [join(dir, "cassettes", old!)] })
  })

  it("whose recording is damaged breaks the case and names the file", async () => {
    const dir = await recorded()
    const [file] = recordings(dir)
    writeFileSync(join(dir, "cassettes", file!), "key: [")
    expect(JSON.stringify((await run(dir)).results)).toContain(`the cassette \`${file}\` is no YAML`)
  })
})
