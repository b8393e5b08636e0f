import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { detent, EVENT, policy, rule } from "../cli/capture.ts"
import { send } from "./client.ts"
import { daemonWith, tokenIn } from "./world.ts"

describe("where and how the daemon serves is a setting like any other", () => {
  it("listens on the socket that the policy names, and clients look for it there", async () => {
    const daemon = await daemonWith({ policy: policy([], { "serve.socket": "other/d.sock" }) })
    expect(daemon.running.addresses).toEqual([`unix:${join(daemon.cwd, "other", "d.sock")}`])
    const env = { DETENT_SERVE_SOCKET: join(daemon.cwd, "other", "d.sock") }
    expect(await detent(["approvals", "--format", "json"], { cwd: daemon.cwd, env })).toMatchObject({ out: "[]\n" })
    expect((await detent(["approvals"], { cwd: daemon.cwd })).err).toContain("no daemon answers on")
  })

  it("listens on the port that the environment names", async () => {
    const daemon = await daemonWith({ env: { DETENT_SERVE_PORT: "0" } })
    expect(daemon.running.addresses[1]).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    await expect(daemonWith({ env: { DETENT_SERVE_PORT: "65536" } })).rejects.toThrow("must be at most 65535")
  })

  it("lets the pages in that it is told to, and no others", async () => {
    const daemon = await daemonWith({ tcp: true, flags: { "serve.origins": "https://console.example" } })
    const token = await tokenIn(daemon, "page", { scopes: ["read"] })
    const asked = async (origin: string) =>
      (await send(daemon.way, { path: "/v1/points", token, headers: { origin } })).status
    expect(await asked("https://console.example")).toBe(200)
    expect(await asked("https://other.example")).toBe(403)
  })

  it("tells in its log what `log.level` lets it tell", async () => {
    const quiet = await daemonWith({ flags: { "log.level": "error" } })
    const telling = await daemonWith()
    expect(quiet.log).toEqual([])
    expect(telling.log.map(({ message }) => message)).toContain("listening")
  })

  it("takes a changed log level up at once, and lets where it listens wait for a restart", async () => {
    const daemon = await daemonWith({ policy: policy([]) })
    writeFileSync(join(daemon.cwd, "p.json"), policy([], { "log.level": "error", "serve.port": 0 }))
    const setting = async (path: string) => (await daemon.send({ path: `/v1/settings/${path}` })).body
    await expect.poll(async () => (await setting("log.level")).value, { timeout: 10_000 }).toBe("error")
    const port = await setting("serve.port")
    expect(port).not.toHaveProperty("value")
    expect(port.contributions).toMatchObject([{ value: 0, state: "waiting", by: "a restart" }])
    const { notices } = await setting("hooks")
    expect(notices).toContain("`serve.port` has changed, and waits for a restart")
  })

  it("lets a question wait as long as `approvals.timeoutMs` says at most", async () => {
    const asking = [rule("asks", { ask: { question: "go on?", timeoutMs: 60_000 } }, { effect: "ask" })]
    const daemon = await daemonWith({ policy: policy(asking, { "approvals.timeoutMs": 5000 }) })
    const before = Date.now()
    await daemon.decide(EVENT)
    const [{ expiresAt }] = (await daemon.send({ path: "/v1/approvals" })).body.approvals
    expect(Date.parse(expiresAt) - before).toBeLessThan(60_000)
  })
})
