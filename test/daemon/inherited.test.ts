import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import type { ListenOptions } from "node:net"
import { join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import { EVENT, environment, folderWith, policy, rule } from "../cli/capture.ts"
import { BIN } from "../cli/process.ts"
import { send, type Way } from "./client.ts"

const pids: number[] = []
afterEach(() => {
  for (const pid of pids.splice(0)) {
    try {
      process.kill(pid, "SIGKILL")
    } catch {
      // It has ended already.
    }
  }
})

/** A supervisor: opens a socket, starts the daemon with it as its descriptor 3, and is gone before anybody connects. */
const SUPERVISOR = `
  const { spawn } = require("node:child_process")
  const { chmodSync, openSync } = require("node:fs")
  const [where, mode, serve, ...words] = process.argv.slice(1)
  const server = require("node:net").createServer()
  server.listen(JSON.parse(where), () => {
    if (mode) chmodSync(server.address(), Number(mode))
    const stdio = ["ignore", "ignore", openSync("log", "w"), server._handle.fd]
    const { pid } = spawn("sh", ["-c", serve, ...words], { stdio, detached: true })
    console.log(JSON.stringify({ pid, address: server.address() }))
    process.exit()
  })`

interface Served {
  readonly pid: number
  readonly port: number
  readonly log: () => string
}

/** `detent serve` with a socket that listens already; `meantFor` in place of its own number in LISTEN_PID. */
function served(cwd: string, where: ListenOptions, mode = "", meantFor = "$$"): Served {
  const serve = `LISTEN_PID=${meantFor} LISTEN_FDS=1 exec "$0" "$@"`
  const words = [process.execPath, BIN, "serve", "--policy", "p.json", "--log-format", "text"]
  const args = ["-e", SUPERVISOR, JSON.stringify(where), mode, serve, ...words]
  const ran = spawnSync(process.execPath, args, { cwd, env: environment(join(cwd, "home")), encoding: "utf8" })
  const { pid, address } = JSON.parse(ran.stdout) as { pid: number; address: { port?: number } }
  pids.push(pid)
  return { pid, port: address.port ?? 0, log: () => readFileSync(join(cwd, "log"), "utf8") }
}

const REFUSING = policy([rule("no", { refuse: "no" })])
const outcome = (way: Way) =>
  send(way, { path: "/v1/decide", body: EVENT }).then(({ status, body }) => body.outcome ?? status)

const PATIENCE = { timeout: 15_000 }

describe("a socket that a supervisor hands over", () => {
  it("is listened on in place of its own, requests that wait included, and stays when it ends", async () => {
    const cwd = folderWith({ "p.json": REFUSING })
    const path = join(cwd, "d.sock")
    const { pid, log } = served(cwd, { path }, "384")
    expect(await outcome({ socketPath: path })).toBe("refuse")
    expect(log()).toMatch(new RegExp(`^\\d\\d:\\d\\d:\\d\\d info listening: addresses=unix:${path}\n$`))
    process.kill(pid, "SIGTERM")
    await expect.poll(log, PATIENCE).toContain("info stopped\n")
    expect(existsSync(path)).toBe(true)
  })

  it("may be on the loopback address, where every request needs a token", async () => {
    const { port } = served(folderWith({ "p.json": REFUSING }), { port: 0, host: "127.0.0.1" })
    expect(await outcome({ port })).toBe(401)
  })

  it("is refused where others can open it, or where it is open to the network", async () => {
    const cwd = folderWith({ "p.json": REFUSING })
    const path = join(cwd, "d.sock")
    const open = served(cwd, { path }, "438")
    await expect.poll(open.log, PATIENCE).toContain(`the socket \`${path}\` is open to others`)
    const wide = served(folderWith({ "p.json": REFUSING }), { port: 0, host: "0.0.0.0" })
    await expect.poll(wide.log, PATIENCE).toContain("does not listen on `0.0.0.0`")
  })

  it("is none of its own where it was meant for another process", async () => {
    const cwd = folderWith({ "p.json": REFUSING })
    const { log } = served(cwd, { path: join(cwd, "d.sock") }, "384", "1")
    await expect.poll(log, PATIENCE).toContain(`addresses=unix:${join(cwd, "home")}`)
  })
})
