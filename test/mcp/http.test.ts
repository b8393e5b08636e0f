import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { request } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { BIN } from "./clients.ts"
import { scripted } from "./servers.ts"

let child: ChildProcess
let port = 0
let stderr = ""
const folder = mkdtempSync(join(tmpdir(), "detent-http-"))
const ledger = join(folder, "ledger")

beforeAll(async () => {
  writeFileSync(ledger, "")
  const source = `(await import("node:fs")).appendFileSync(args[0], "x"); text("done")`
  const policy = { version: 1, servers: { s: scripted(source, ledger) } }
  writeFileSync(join(folder, "detent.json"), JSON.stringify(policy))
  child = spawn(process.execPath, [BIN, "mcp", "--policy", "detent.json", "--port", "0"], { cwd: folder })
  await new Promise<void>((resolve) => {
    child.stderr!.on("data", (chunk: Buffer) => {
      stderr += chunk.toString("utf8")
      port = Number(/127\.0\.0\.1:(\d+)/.exec(stderr)?.[1] ?? 0)
      if (port) resolve()
    })
  })
})
afterAll(async () => {
  const gone = new Promise((resolve) => child.once("exit", resolve))
  child.kill("SIGTERM")
  expect(await gone).toBe(0)
})

const CALL = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "s__do", arguments: {} } }

/** Sends a raw request; a body that is never sent whole shows whether it is waited for. */
function post(body: string, headers: Record<string, string | string[]> = {}, whole = true) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, path: "/mcp", method: "POST" }, (response) => {
      let text = ""
      response.on("data", (chunk: Buffer) => {
        text += chunk.toString("utf8")
      })
      response.on("end", () => {
        resolve({ status: response.statusCode ?? 0, text })
        sent.destroy()
      })
    })
    sent.on("error", reject)
    sent.setHeader("content-type", "application/json")
    sent.setHeader("accept", "application/json, text/event-stream")
    for (const [name, value] of Object.entries(headers)) sent.setHeader(name, value)
    if (whole) sent.end(body)
    else {
      sent.setHeader("content-length", 10_000_000)
      sent.write(body)
    }
  })
}

describe("a request over HTTP", () => {
  it.each([
    ["a foreign page", "https://evil.example"],
    ["a page without a name", "null"],
    ["what only looks like this machine", "http://localhost.evil.example"],
    ["two origins", ["http://localhost", "https://evil.example"]],
    ["a broken origin", "localhost"],
  ])("from %s is refused before its body is read", async (_, origin) => {
    const { status } = await post("{", { origin }, false)
    expect(status).toBe(403)
    expect(readFileSync(ledger, "utf8")).toBe("")
  })

  it("for a name that somebody gave to this machine is refused", async () => {
    expect((await post(JSON.stringify(CALL), { host: "evil.example" })).status).toBe(403)
  })

  it("that is refused is told in one line", () => {
    expect(stderr.match(/a request is refused: the origin "null" is not allowed/g)).toHaveLength(1)
  })

  it.each([
    ["a list of one call", JSON.stringify([CALL])],
    ["an empty list after a line break", "  \n[]"],
    ["a list in a list", JSON.stringify([[CALL]])],
    ["a method that is a list", JSON.stringify({ ...CALL, method: ["tools/call"] })],
    ["no version", JSON.stringify({ ...CALL, jsonrpc: undefined })],
  ])("with %s is answered with -32600, and reaches no server", async (_, body) => {
    const { status, text } = await post(body)
    expect(status).toBe(400)
    expect(JSON.parse(text)).toMatchObject({ id: null, error: { code: -32600 } })
    expect(readFileSync(ledger, "utf8")).toBe("")
  })

  it("with what is no JSON is answered with -32700", async () => {
    const { status, text } = await post("{")
    expect({ status, code: JSON.parse(text).error.code }).toEqual({ status: 400, code: -32700 })
  })

  it("of no session is told to begin one", async () => {
    expect((await post(JSON.stringify(CALL))).status).toBe(400)
    expect((await post(JSON.stringify(CALL), { "mcp-session-id": "gone" })).status).toBe(404)
  })

  it.each([undefined, "http://localhost:5173", "http://127.0.0.1"])("of an origin %s is served", async (origin) => {
    const initialize = {
      jsonrpc: "2.0",
      id: 0,
      method: "initialize",
      params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
    }
    expect((await post(JSON.stringify(initialize), origin ? { origin } : {})).status).toBe(200)
  })
})

describe.each(["legacy", "auto"] as const)("a client that begins with %s over HTTP", (mode) => {
  it("lists and calls", async () => {
    const client = new Client({ name: "t", version: "1" }, { versionNegotiation: { mode } })
    await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`)))
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("s__do")
    const { content } = await client.callTool({ name: "s__do", arguments: {} })
    expect(content).toEqual([{ type: "text", text: "done" }])
    await client.close()
  })
})
