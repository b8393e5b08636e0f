import { spawn, spawnSync } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { ownFolder } from "../../settings/folders.ts"
import { readAudit } from "../../store/audit/store.ts"
import { detent, EVENT, environment, folderWith, policy, rule } from "../cli/capture.ts"
import { BIN } from "../cli/process.ts"
import { send } from "./client.ts"
import { daemonWith } from "./world.ts"

const REFUSING = policy([rule("no", { refuse: "no" })])

describe("a daemon", () => {
  it("listens on a socket that only its user can open", async () => {
    const { cwd } = await daemonWith()
    expect(statSync(join(cwd, "run", "d.sock")).mode & 0o777).toBe(0o600)
    expect(statSync(join(cwd, "run")).mode & 0o777).toBe(0o700)
  })

  it("answers who is there, and figures", async () => {
    const daemon = await daemonWith()
    expect(await daemon.send({ path: "/healthz" })).toMatchObject({ status: 200, body: { status: "ok", ready: true } })
    expect((await daemon.send({ path: "/healthz?ready" })).status).toBe(200)
    const { text, headers } = await daemon.send({ path: "/metrics" })
    expect(headers["content-type"]).toMatch(/^text\/plain/)
    expect(text).toContain('detent_http_requests_total{route="/healthz",status="200"} 2')
  })

  it("says which routes there are where none is meant", async () => {
    const daemon = await daemonWith()
    expect(await daemon.send({ path: "/v1/nowhere" })).toMatchObject({
      status: 404,
      body: { detail: "there is no route `/v1/nowhere`" },
    })
    expect(await daemon.send({ path: "/v1/decide" })).toMatchObject({ status: 405, headers: { allow: "POST" } })
  })

  it("takes the place of one that is gone, and not of one that is there", async () => {
    const { cwd, running } = await daemonWith({ policy: REFUSING })
    await expect(daemonWith({ cwd })).rejects.toThrow("another daemon listens")
    await running.stop(1000)
    expect(existsSync(join(cwd, "run", "d.sock"))).toBe(false)
    const left = createServer().listen(join(cwd, "run", "left.sock"))
    left.close()
    await daemonWith({ cwd })
  })

  it("does not start in a folder that others can look into, or over a file that is no socket", async () => {
    const open = folderWith({ "p.json": {} })
    mkdirSync(join(open, "run"))
    chmodSync(join(open, "run"), 0o755)
    await expect(daemonWith({ cwd: open })).rejects.toThrow("must belong to you alone")
    chmodSync(join(open, "run"), 0o700)
    writeFileSync(join(open, "run", "d.sock"), "")
    await expect(daemonWith({ cwd: open })).rejects.toThrow("is no socket")
  })

  it("does not start with a bad policy, and says what is wrong with it", async () => {
    const cwd = folderWith({ "p.json": '{"hoks":[]}' })
    const { code, err } = await detent(["serve", "--policy", "p.json"], { cwd })
    expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(/^p\.json:1:2: error: unknown key `hoks`/) })
  })

  it("lets what is running come to its end when it is told to stop", async () => {
    const slow = {
      id: "slow",
      on: "call",
      phase: "before",
      effect: "ask",
      run: ["sh", "-c", 'sleep 0.3; echo \'{"refuse":"late"}\''],
    }
    const daemon = await daemonWith({ policy: policy([slow]) })
    const answer = daemon.decide(EVENT)
    await expect.poll(() => daemon.send({ path: "/metrics" }).then(({ text }) => text)).toContain("detent")
    await Promise.all([
      daemon.running.stop(5000),
      expect(answer).resolves.toMatchObject({ body: { outcome: "refuse" } }),
    ])
    expect(daemon.log.map(({ message }) => message)).toEqual(["listening", "stopping", "stopped"])
  })

  it("has recorded each decision that it has told of, also when it is killed", async () => {
    const cwd = folderWith({ "detent.json": REFUSING })
    const env = environment(join(cwd, "home"))
    const child = spawn(process.execPath, [BIN, "serve", "--policy", "detent.json", "--socket", "run/d.sock"], {
      cwd,
      env,
    })
    const way = { socketPath: join(cwd, "run", "d.sock") }
    const ended = new Promise((resolve) => child.once("exit", resolve))
    const decide = () =>
      send(way, { path: "/v1/decide", body: EVENT }).then(
        ({ body }) => body.outcome,
        () => "nobody",
      )
    await expect.poll(decide, { timeout: 10_000 }).toBe("refuse")
    expect(await decide()).toBe("refuse")
    child.kill("SIGKILL")
    await ended
    const record = await readAudit(ownFolder("state", env))
    expect(await record.verify({})).toMatchObject({ ok: true, rows: 2, findings: [] })
    await record.close()
  })

  it("is a command that a signal ends well", async () => {
    const cwd = folderWith({ "detent.json": REFUSING })
    const child = spawn(process.execPath, [BIN, "serve", "--policy", "detent.json", "--socket", "run/d.sock"], {
      cwd,
      env: environment(join(cwd, "home")),
    })
    const way = { socketPath: join(cwd, "run", "d.sock") }
    const ended = new Promise<number | null>((resolve) => child.once("exit", resolve))
    await expect
      .poll(
        () =>
          send(way, { path: "/healthz" }).then(
            ({ status }) => status,
            () => 0,
          ),
        { timeout: 10_000 },
      )
      .toBe(200)
    expect((await send(way, { path: "/v1/decide", body: EVENT })).body.outcome).toBe("refuse")
    child.kill("SIGTERM")
    expect(await ended).toBe(0)
    expect(existsSync(way.socketPath)).toBe(false)
  })

  it("says what is missing where its user has no home", async () => {
    const { err } = await detent(["serve"], { env: { HOME: "/nonexistent", XDG_STATE_HOME: "/dev/null/none" } })
    expect(err).toContain("XDG_STATE_HOME names another place")
  })

  it.runIf(process.getuid?.() === 0)("knows no home of a user that the system does not know, and says so", () => {
    const { stderr } = spawnSync(process.execPath, [BIN, "serve"], {
      uid: 12345,
      env: { PATH: process.env.PATH },
      encoding: "utf8",
    })
    expect(stderr).toContain("`/.local/state/detent` must be there")
  })
})
