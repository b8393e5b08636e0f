import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import type { Decision } from "../../store/audit/row.ts"
import { detent, EVENT, lines, policy, rule } from "../cli/capture.ts"
import { daemonWith, type Started, tokenIn } from "./world.ts"

const get = async (daemon: Started, path = "") => (await daemon.send({ path: `/v1/settings${path}` })).body
const put = (daemon: Started, path: string, value: unknown, more: object = {}) =>
  daemon.send({ method: "PUT", path: `/v1/settings/${path}`, body: { value }, ...more })

describe("GET /v1/settings", () => {
  it("tells every setting with its layer and its place, and one with what every layer says", async () => {
    const daemon = await daemonWith({
      policy: policy([rule("no", { refuse: "no" })], { "hooks.autonomy": "apply" }),
      env: { DETENT_AUTONOMY_MAX: "ask" },
    })
    const { settings } = await get(daemon)
    expect(settings[1]).toMatchObject({
      path: "hooks.autonomy",
      value: "ask",
      requested: "apply",
      clampedBy: "autonomy.max (env:DETENT_AUTONOMY_MAX)",
      origin: "p.json:1",
    })
    expect(await get(daemon, "/autonomy.max")).toMatchObject({
      value: "ask",
      contributions: [{ layer: "environment", origin: "env:DETENT_AUTONOMY_MAX", state: "in force" }],
    })
    expect(await get(daemon, "/autonomy.mx")).toMatchObject({ status: 404, hint: "did you mean `autonomy.max`?" })
  })
})

describe("X-Detent-Settings", () => {
  const headers = { "x-detent-settings": '{"autonomy.max":"run","serve.port":1,"hooks.autonomy":"advise"}' }
  const told = [
    "`autonomy.max` is the daemon's own and is not taken from a call",
    "`serve.port` is the daemon's own and is not taken from a call",
  ]

  it("says on every route which of its keys are the daemon's, and does not take them", async () => {
    const servers = { all: { command: [process.execPath, "-e", "process.exit(1)"] } }
    const daemon = await daemonWith({ policy: policy([rule("no", { refuse: "no" })], { servers }) })
    expect((await daemon.decide(EVENT, { headers })).body).toMatchObject({ outcome: "continue", notices: told })
    const call = { path: "/v1/call", body: { server: "all", tool: "t" }, headers }
    expect((await daemon.send(call)).body.notices).toEqual(told)
    const stream = await daemon.send({ ...call, headers: { ...headers, accept: "application/x-ndjson" } })
    expect(lines(stream.text).slice(0, 2)).toMatchObject(told.map((text) => ({ type: "log", args: [text] })))
    const { frames } = (await daemon.send({ path: "/v1/exec", body: { code: "1" }, headers })).body
    expect(frames.slice(0, 2)).toMatchObject(told.map((text) => ({ type: "log", args: [text] })))
  })

  it("is refused where a key is no setting, or a level none", async () => {
    const daemon = await daemonWith()
    const saying = (text: string) => daemon.decide(EVENT, { headers: { "x-detent-settings": text } })
    expect((await saying('{"hooks.autonmy":"ask"}')).body).toMatchObject({
      status: 400,
      hint: "did you mean `hooks.autonomy`?",
    })
    expect((await saying('{"hooks.autonomy":"loud"}')).status).toBe(400)
    expect((await saying("[]")).status).toBe(400)
  })
})

describe("PUT /v1/settings", () => {
  it("puts a hot setting into force at once, records and publishes it", async () => {
    const rows: Decision[] = []
    const audit = { append: async (row: Decision) => ({ seq: rows.push(row), hash: "" }) }
    const daemon = await daemonWith({ policy: policy([rule("no", { refuse: "no" })]), audit })
    expect((await daemon.decide(EVENT)).body).toMatchObject({ outcome: "refuse" })
    const { body } = await put(daemon, "hooks.autonomy", "advise")
    expect(body).toMatchObject({
      applied: true,
      value: "advise",
      layer: "put",
      origin: "PUT /v1/settings/hooks.autonomy",
    })
    expect((await daemon.decide(EVENT)).body).toMatchObject({ outcome: "continue", frames: [{ effect: "advise" }] })
    expect(rows.find(({ on }) => on === "settings")).toMatchObject({
      caller: { id: "local" },
      input: { path: "hooks.autonomy", value: "advise" },
    })
    const told = await daemon.open({ path: "/v1/events?kinds=settings.&from=0" })
    for await (const chunk of told) {
      expect(String(chunk)).toContain('"path":"hooks.autonomy"')
      break
    }
  })

  it("is still in force when the policy is read again", async () => {
    const daemon = await daemonWith({ policy: policy([]) })
    await put(daemon, "log.level", "error")
    writeFileSync(join(daemon.cwd, "p.json"), policy([rule("new", { refuse: "new" })], { "log.level": "debug" }))
    await expect.poll(async () => (await daemon.decide(EVENT)).body.outcome, { timeout: 10_000 }).toBe("refuse")
    expect(await get(daemon, "/log.level")).toMatchObject({
      value: "error",
      contributions: [
        { value: "debug", state: "overridden" },
        { layer: "put", state: "in force" },
      ],
    })
  })

  it("raises nothing above `autonomy.max`, and says what lowered it", async () => {
    const changes = rule("changes", { apply: { merge: { text: "y" } } })
    const daemon = await daemonWith({
      policy: policy([changes], { "autonomy.max": "ask", "hooks.autonomy": "advise" }),
    })
    expect((await put(daemon, "hooks.autonomy", "run")).body).toMatchObject({
      applied: true,
      value: "ask",
      requested: "run",
      clampedBy: "autonomy.max (p.json:1)",
    })
    expect((await daemon.decide(EVENT)).body.frames).toMatchObject([{ effect: "ask" }])
  })

  it("answers of what is not hot that it waits for a restart, and changes nothing", async () => {
    const daemon = await daemonWith({ policy: policy([], { "autonomy.max": "ask" }) })
    for (const level of ["run", "off"]) {
      const { body, status } = await put(daemon, "autonomy.max", level)
      expect({ body, status }).toMatchObject({
        status: 200,
        body: { applied: false, restartRequired: true, value: "ask" },
      })
    }
    expect(await get(daemon, "/autonomy.max")).toMatchObject({ value: "ask" })
  })

  it("shows what is written and waits for a restart beside what is in force", async () => {
    const daemon = await daemonWith({ policy: policy([]) })
    writeFileSync(join(daemon.cwd, "p.json"), policy([rule("new", { refuse: "new" })], { "autonomy.max": "ask" }))
    await expect.poll(async () => (await daemon.decide(EVENT)).body.outcome, { timeout: 10_000 }).toBe("refuse")
    expect(await get(daemon, "/autonomy.max")).toMatchObject({
      value: "run",
      origin: "default",
      contributions: [{ value: "ask", state: "waiting", by: "a restart" }],
    })
  })

  it("says where a lower layer has said what nobody takes back", async () => {
    const daemon = await daemonWith({ policy: policy([], { "elicit.confirmDestructive": true }) })
    expect((await put(daemon, "elicit.confirmDestructive", false)).body).toMatchObject({
      applied: false,
      value: true,
      why: "p.json:1 says true, and it is on where any layer says so",
    })
  })

  it.each(["hooks", "ceilings", "servers", "model", "model.name", "model.prices", "script.prefix", "script.suffix"])(
    "only reads %s",
    async (path) => {
      const daemon = await daemonWith()
      expect(await put(daemon, path, "x")).toMatchObject({
        status: 409,
        body: { detail: `\`${path}\` can only be read here` },
      })
    },
  )

  it("refuses values that do not fit, and bodies that are more than a value", async () => {
    const daemon = await daemonWith()
    expect((await put(daemon, "hooks.autonomy", "loud")).body.detail).toBe("unknown level `loud` for `hooks.autonomy`")
    expect((await put(daemon, "log.level", "loud")).body.detail).toContain("must be one of debug, info, warn, error")
    expect((await put(daemon, "approvals.timeoutMs", "5")).status).toBe(400)
    expect((await put(daemon, "log.level", { a: 1 })).status).toBe(400)
    const more = await daemon.send({ method: "PUT", path: "/v1/settings/log.level", body: { valu: "warn" } })
    expect(more.body.detail).toContain("did you mean `value`?")
  })

  it("needs the scope `administer`", async () => {
    const daemon = await daemonWith()
    const token = await tokenIn(daemon, "reader", { scopes: ["read", "exec", "decide", "approve"] })
    expect(await put(daemon, "log.level", "warn", { token })).toMatchObject({
      status: 403,
      body: { scopes: ["administer"] },
    })
    const root = await tokenIn(daemon, "root", { scopes: ["administer"] })
    expect(await put(daemon, "log.level", "warn", { token: root })).toMatchObject({
      status: 200,
      body: { applied: true },
    })
  })

  it("changes nothing that cannot be written down", async () => {
    const audit = { append: () => Promise.reject(new Error("the disk is full")) }
    const daemon = await daemonWith({ audit })
    expect((await put(daemon, "log.level", "error")).status).toBe(503)
    expect(await get(daemon, "/log.level")).toMatchObject({ value: "info" })
  })

  it("is what `detent settings set --daemon` does, and `detent settings --daemon` shows", async () => {
    const daemon = await daemonWith()
    const own = ["--socket", join(daemon.cwd, "run", "d.sock"), "--format", "text"]
    const run = (...words: string[]) => detent(["settings", ...words, ...own], { cwd: daemon.cwd })
    expect(await run("set", "log.level", "warn")).toMatchObject({
      code: 0,
      out: "log.level: warn (put, PUT /v1/settings/log.level) until the daemon ends\n",
    })
    expect(await run("set", "autonomy.max", "ask")).toMatchObject({
      code: 1,
      out: expect.stringContaining("waits for a restart"),
    })
    expect((await run("get", "log.level")).out).toContain("PUT /v1/settings/log.level")
    expect((await run("explain", "log.level")).out).toContain("in force")
    expect((await run("explain", "hooks")).out).toContain("a list takes the place of the one below it")
    expect((await run("--autonomy-max", "ask")).err).toContain("cannot be said to a daemon")
  })
})
