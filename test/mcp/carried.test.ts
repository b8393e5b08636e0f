import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { afterEach, describe, expect, it, vi } from "vitest"
import { z } from "zod"
import { throughGateway } from "./clients.ts"
import { RawClient } from "./raw.ts"
import { stub } from "./servers.ts"
import { serving } from "./serving.ts"

vi.setConfig({ testTimeout: 60_000 })

const open: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()))
})

const SERVERS = { servers: { s: stub("told") } }

async function raw(capabilities = {}): Promise<RawClient> {
  const client = await RawClient.start(SERVERS, ["--server", "s"], capabilities)
  open.push(client)
  return client
}

describe("what the gateway does not carry", () => {
  it.each([
    ["tasks/get", { taskId: "1" }],
    ["tasks/result", { taskId: "1" }],
    ["tasks/list", {}],
    ["example.org/own", {}],
  ])("is answered with an error that says so: %s", async (method, params) => {
    const client = await raw()
    const message = `the gateway does not carry \`${method}\``
    expect((await client.request(method, params)).error).toEqual({ code: -32601, message })
  })

  it("is answered so over HTTP too, to clients of both revisions", async () => {
    const gateway = await serving(SERVERS)
    open.push(gateway)
    for (const mode of ["legacy", "auto"] as const) {
      const client = new Client({ name: "t", version: "1" }, { versionNegotiation: { mode } })
      await client.connect(new StreamableHTTPClientTransport(new URL(gateway.url)))
      open.push(client)
      const asked = client.request({ method: "example.org/own", params: {} }, z.looseObject({}))
      await expect(asked).rejects.toMatchObject({ code: -32601 })
    }
  })

  it("is answered so to a client of the newer revision over stdio", async () => {
    const { client } = await throughGateway(SERVERS, { mode: "auto" })
    open.push(client)
    const asked = client.request({ method: "example.org/own", params: {} }, z.looseObject({}))
    await expect(asked).rejects.toMatchObject({ code: -32601 })
  })

  it("is no call that wants to be a task: its result would pass no hook", async () => {
    const client = await raw()
    const answer = await client.call("told", {}, { task: { ttl: 1000 } })
    expect(answer.error).toEqual({ code: -32602, message: "the gateway carries no tasks: call without `task`" })
  })

  it("is not promised: neither to the client what the server can, nor to the server what the client can", async () => {
    const client = await raw({ sampling: {}, tasks: { requests: {} }, experimental: { "example.org/own": {} } })
    const [handshake] = client.said
    expect(handshake?.result?.capabilities).toEqual({ tools: {} })
    const told = JSON.parse((await client.call("told")).result?.content?.[0]?.text ?? "{}")
    expect(told.capabilities).toEqual({ sampling: {} })
  })

  it("is said on stderr where nobody waits for an answer, once of each kind", async () => {
    const client = await raw()
    client.write(JSON.stringify({ jsonrpc: "2.0", method: "notifications/example.org/own" }))
    await client.call("told")
    await client.call("told")
    const said = client.stderr.split("\n").filter((line) => line.includes("is not passed on"))
    expect(said).toEqual([
      "detent: `notifications/example.org/own` of a client is not passed on",
      "detent: `notifications/tasks/status` of the server `s` is not passed on",
    ])
  })
})
