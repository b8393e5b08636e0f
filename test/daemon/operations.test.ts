import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import type { Decision } from "../../store/audit/row.ts"
import { detent, lines, policy, rule } from "../cli/capture.ts"
import { startBeside } from "../cli/process.ts"
import { daemonWith, tokenIn } from "./world.ts"

const MEMORY = fileURLToPath(
  new URL("../../node_modules/@modelcontextprotocol/server-everything/dist/index.js", import.meta.url),
)

const SERVED = (...hooks: object[]) =>
  policy(hooks, { servers: { all: { command: [process.execPath, MEMORY, "stdio"] } } })

/** A record that a test looks into, and can break. */
function record() {
  const rows: Decision[] = []
  const store = {
    broken: false,
    rows,
    async append(decision: Decision) {
      if (store.broken) throw new Error("the disk is full")
      rows.push(decision)
      return { seq: rows.length, hash: "" }
    },
  }
  return store
}

describe("POST /v1/call", () => {
  it("calls a tool through the hooks, and writes down that it may be sent and what came of it", async () => {
    const audit = record()
    const daemon = await daemonWith({
      policy: SERVED(rule("more", { apply: { merge: { message: "changed" } } })),
      audit,
    })
    const { body } = await daemon.send({
      path: "/v1/call",
      body: { server: "all", tool: "echo", args: { message: "hi" } },
    })
    expect(body).toMatchObject({ outcome: "continue", result: { content: [{ text: "Echo: changed" }] } })
    expect(body.frames.map(({ type }: { type: string }) => type)).toEqual([
      "start",
      "hook",
      "hook",
      "call",
      "result",
      "end",
    ])
    expect(audit.rows.map(({ on, phase, outcome, server }) => [on, phase, outcome, server])).toEqual([
      ["call", "before", "continue", "all"],
      ["call", undefined, "continue", "all"],
    ])
  })

  it("sends nothing that cannot be written down", async () => {
    const audit = record()
    const daemon = await daemonWith({ policy: SERVED(), audit })
    audit.broken = true
    const { body } = await daemon.send({
      path: "/v1/call",
      body: { server: "all", tool: "echo", args: { message: "hi" } },
    })
    expect(body).toMatchObject({ outcome: "refuse", refusal: { code: "audit" } })
    expect(body.frames.find(({ type }: { type: string }) => type === "call")).toMatchObject({ ok: false })
  })

  it("waits for a person where a hook asks, and goes on with the answer", async () => {
    const daemon = await daemonWith({ policy: SERVED(rule("asks", { ask: "echo?" }, { effect: "ask" })) })
    const calling = daemon.send({ path: "/v1/call", body: { server: "all", tool: "echo", args: { message: "hi" } } })
    const waiting = async () => (await daemon.send({ path: "/v1/approvals" })).body.approvals
    await expect.poll(waiting, { timeout: 10_000 }).toHaveLength(1)
    const [{ id }] = await waiting()
    await daemon.send({ path: `/v1/approvals/${id}`, body: { answer: "yes" } })
    expect((await calling).body).toMatchObject({ outcome: "continue", result: { content: [{ text: "Echo: hi" }] } })
  })

  it("tells frames as they come to who accepts NDJSON", async () => {
    const daemon = await daemonWith({ policy: SERVED(rule("no", { refuse: "no" })) })
    const body = { server: "all", tool: "echo", args: {} }
    const { text, headers } = await daemon.send({ path: "/v1/call", body, headers: { accept: "application/x-ndjson" } })
    expect(headers["content-type"]).toBe("application/x-ndjson")
    expect(lines(text).map(({ type }) => type)).toEqual(["start", "hook", "error", "end"])
  })

  it("says which servers there are, and which fields", async () => {
    const daemon = await daemonWith({ policy: SERVED() })
    const unknown = await daemon.send({ path: "/v1/call", body: { server: "al", tool: "echo" } })
    expect(unknown.body.error.message).toContain("did you mean `all`?")
    const misspelt = await daemon.send({ path: "/v1/call", body: { server: "all", tol: "echo" } })
    expect(misspelt).toMatchObject({ status: 400 })
    expect(misspelt.body.detail).toContain("unknown field `tol`; did you mean `tool`?")
  })
})

describe("POST /v1/exec", () => {
  it("runs code and answers its value and frames", async () => {
    const daemon = await daemonWith({ policy: policy([]) })
    const { body } = await daemon.send({
      path: "/v1/exec",
      body: { code: "log.info('x'); return script.args[0] + 1", args: [2] },
    })
    expect(body).toMatchObject({ exitCode: 0, outcome: "continue", value: 3 })
    expect(body.frames.map(({ type }: { type: string }) => type)).toEqual(["start", "log", "result", "end"])
  })

  it("gives a script the few variables that every child gets and those that the caller names, and no keys", async () => {
    const daemon = await daemonWith({ policy: policy([]), env: { FAKE_API_KEY: "secret", LANG: "C" } })
    const body = { code: "return Object.keys(process.env)", env: { MINE: "1" } }
    const { value } = (await daemon.send({ path: "/v1/exec", body })).body
    expect(value).toContain("MINE")
    expect(value).toContain("LANG")
    expect(value).not.toContain("FAKE_API_KEY")
  })

  it("splices the caller's lines in after the policy's, which are not its to replace", async () => {
    const daemon = await daemonWith({ policy: policy([], { "script.prefix": ["emit('policy')"] }) })
    const { frames } = (
      await daemon.send({ path: "/v1/exec", body: { code: "1", script: { prefix: "emit('call')" } } })
    ).body
    expect(
      frames.filter(({ type }: { type: string }) => type === "emit").map(({ value }: { value: string }) => value),
    ).toEqual(["policy", "call"])
  })

  it("skips the policy's lines where the caller's level is below run, and says so", async () => {
    const daemon = await daemonWith({ policy: policy([], { "script.prefix": ["emit('policy')"] }) })
    const headers = { "x-detent-settings": '{"hooks.autonomy":"ask"}' }
    const { frames } = (await daemon.send({ path: "/v1/exec", body: { code: "1" }, headers })).body
    expect(frames[0]).toMatchObject({
      type: "log",
      level: "warn",
      args: [expect.stringContaining("skipped script.prefix")],
    })
  })

  it("takes hooks of one call: on `script`, without a floor, after all others", async () => {
    const daemon = await daemonWith({ policy: policy([rule("first", { advise: "1" }, { on: "script" })]) })
    const exec = (hook: object) => daemon.send({ path: "/v1/exec", body: { code: "return 1", hooks: [hook] } })
    const { body } = await exec(rule("mine", { refuse: "no" }, { on: "script" }))
    expect(body).toMatchObject({ exitCode: 126, outcome: "refuse" })
    expect(
      body.frames.filter(({ type }: { type: string }) => type === "hook").map(({ hook }: { hook: string }) => hook),
    ).toEqual(["first", "mine"])
    expect((await exec(rule("mine", { refuse: "no" }))).body.detail).toContain("is on `call`")
    expect((await exec(rule("mine", { refuse: "no" }, { on: "script", floor: "ask" }))).body.detail).toContain("floor")
    expect((await exec({ on: "script" })).status).toBe(400)
  })

  it("tells frames as they come, cut to the reader's limit, and ends the script when the reader is gone", async () => {
    const daemon = await daemonWith({ policy: policy([]) })
    const headers = { accept: "application/x-ndjson" }
    const big = { code: 'process.stdout.write("🙂".repeat(600_000))' }
    const { text } = await daemon.send({ path: "/v1/exec", body: big, headers })
    const told = lines(text) as { type: string; text: string }[]
    const printed = told.filter(({ type }) => type === "stdout").map((frame) => frame.text)
    expect(printed.join("")).toBe("🙂".repeat(600_000))
    expect(Math.max(...text.split("\n").map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(1024 * 1024)
    const endless = { code: "setInterval(() => {}, 1000); emit(process.pid); await new Promise(() => {})" }
    const response = await daemon.open({ path: "/v1/exec", body: endless, headers })
    let pid = 0
    for await (const chunk of response) {
      const emitted = lines(String(chunk)).find(({ type }) => type === "emit")
      if (emitted) {
        pid = Number(emitted.value)
        break
      }
    }
    response.destroy()
    const runs = () => {
      try {
        return process.kill(pid, 0)
      } catch {
        return false
      }
    }
    await expect.poll(runs, { timeout: 10_000 }).toBe(false)
  })

  it("needs the scope", async () => {
    const daemon = await daemonWith({ policy: policy([]) })
    const token = await tokenIn(daemon, "decides")
    expect((await daemon.send({ path: "/v1/exec", body: { code: "1" }, token })).status).toBe(403)
    expect((await daemon.send({ path: "/v1/call", body: { server: "s", tool: "t" }, token })).status).toBe(403)
  })
})

describe("detent run --remote", () => {
  it("runs in the daemon, through the same launcher, and is told as if it ran here", async () => {
    const daemon = await daemonWith({
      policy: policy([rule("tag", { apply: { input: ["b"] } }, { on: "script" })]),
      files: { "s.mjs": "console.log('printed'); export default (a) => ({ a })" },
    })
    const words = ["run", "s.mjs", "a", "--remote", "--socket", join(daemon.cwd, "run", "d.sock")]
    const ran = await detent(words, { cwd: daemon.cwd })
    expect(ran).toMatchObject({ code: 0, out: 'printed\n{"a":"b"}\n' })
    const failing = ["exec", "process.exit(7)", "--remote", "--socket", join(daemon.cwd, "run", "d.sock")]
    expect((await startBeside(failing, { cwd: daemon.cwd })).code).toBe(7)
    const own = await detent([...words, "--policy", "p.json"], { cwd: daemon.cwd })
    expect(own.err).toContain("`--policy` cannot be said to a daemon")
  })
})

describe("what can be read", () => {
  it("is the hooks in force, the points, the notices, and a description of every route", async () => {
    const daemon = await daemonWith({
      policy: policy([rule("no", { refuse: "no" })]),
      flags: { "autonomy.max": "advise" },
    })
    const { hooks } = (await daemon.send({ path: "/v1/settings/hooks" })).body
    expect(hooks).toMatchObject([{ id: "no", effect: "run", effective: "advise", layer: "project" }])
    expect(hooks[0].origins[0]).toMatch(/^p\.json:/)
    expect((await daemon.send({ path: "/v1/points" })).body.points[0]).toMatchObject({ point: "call" })
    expect((await daemon.send({ path: "/v1/threads?unread" })).body).toEqual({ threads: [] })
    const { paths, openapi } = (await daemon.send({ path: "/openapi.json" })).body
    expect(openapi).toBe("3.1.0")
    expect(paths["/v1/approvals/{id}"].post).toMatchObject({
      "x-scopes": ["approve"],
      parameters: [{ name: "id", in: "path" }],
    })
    expect(paths["/v1/exec"].post.requestBody.content["application/json"].schema.properties).toHaveProperty("code")
  })
})
