import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { getRequestListener } from "@hono/node-server"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { createMcpHandler, fromJsonSchema, McpServer } from "@modelcontextprotocol/server"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { headersFor, mismatch, paramHeadersOf } from "../../mcp/param-headers.ts"
import { type Serving, serving } from "./serving.ts"

const SCHEMA = {
  type: "object",
  properties: {
    region: { type: "string", "x-mcp-header": "Region" },
    shard: { type: "object", properties: { number: { type: "integer", "x-mcp-header": "Shard" } } },
    dry: { type: "boolean", "x-mcp-header": "Dry" },
    rest: { type: "string" },
  },
} as const

const ARGS = { region: "p → q", shard: { number: 7 }, dry: false, rest: "x" }
const HEADERS = { "Mcp-Param-Region": "=?base64?cCDihpIgcQ==?=", "Mcp-Param-Shard": "7", "Mcp-Param-Dry": "false" }

describe("the arguments that a tool wants as headers", () => {
  const declared = paramHeadersOf(SCHEMA)

  it("are those that its schema names, at any depth", () => {
    expect(headersFor(declared, ARGS)).toEqual(HEADERS)
  })

  it("are left out where there is none, or it has no form in a header", () => {
    expect(headersFor(declared, { region: null, shard: 1, dry: [true] })).toEqual({})
    expect(headersFor(declared, { shard: { number: 2 ** 60 } })).toEqual({})
  })

  it.each([
    ["plain", "plain"],
    ["with a blank", "with a blank"],
    ["", "=?base64??="],
    [" ends", "=?base64?IGVuZHM=?="],
    ["a\nb", "=?base64?YQpi?="],
    ["=?base64?eA==?=", "=?base64?PT9iYXNlNjQ/ZUE9PT89?="],
  ])("stand there so that they come through: %j", (region, value) => {
    const headers = headersFor(declared, { region })
    expect(headers).toEqual({ "Mcp-Param-Region": value })
    expect(mismatch(declared, { region }, new Headers(headers))).toBeUndefined()
  })

  it.each([
    ["a name with a blank", { a: { type: "string", "x-mcp-header": "a b" } }],
    ["no name", { a: { type: "string", "x-mcp-header": "" } }],
    ["a type that is none of a header", { a: { type: "number", "x-mcp-header": "a" } }],
    ["one name for two", { a: { type: "string", "x-mcp-header": "a" }, b: { type: "string", "x-mcp-header": "A" } }],
    ["a place in a list", { a: { type: "array", items: { type: "string", "x-mcp-header": "a" } } }],
    ["a place behind a choice", { a: { anyOf: [{ type: "string", "x-mcp-header": "a" }] } }],
  ])("are none where one is declared as it must not be: %s", (_, properties) => {
    const good = { type: "string", "x-mcp-header": "Good" }
    expect(paramHeadersOf({ type: "object", properties: { good, ...properties } })).toEqual([])
  })

  it("are told from a property of the same name, and from data", () => {
    const properties = { "x-mcp-header": { type: "string" }, b: { default: { "x-mcp-header": "no" } } }
    expect(paramHeadersOf({ type: "object", properties })).toEqual([])
    const good = { ...properties, a: { type: "string", "x-mcp-header": "a" } }
    expect(headersFor(paramHeadersOf({ type: "object", properties: good }), { a: "1" })).toEqual({ "Mcp-Param-a": "1" })
  })

  it.each([
    ["fit", {}, undefined],
    ["fit as numbers", { "Mcp-Param-Shard": "7.0" }, undefined],
    ["differ", { "Mcp-Param-Dry": "true" }, "`Mcp-Param-Dry` says something else"],
    ["are no base64", { "Mcp-Param-Region": "=?base64?cCDihpIgcQ?=" }, "`Mcp-Param-Region` is no base64"],
    ["are missing", { "Mcp-Param-Shard": undefined }, "`Mcp-Param-Shard` is missing"],
  ])("%s: what is said of it", (_, change, why) => {
    const given = Object.entries({ ...HEADERS, ...change }).filter(([, value]) => value !== undefined)
    const said = mismatch(declared, ARGS, new Headers(given as [string, string][]))
    if (why === undefined) expect(said).toBeUndefined()
    else expect(said).toContain(why)
  })
})

describe("a server of the newer revision that wants headers, behind the gateway", () => {
  const seen: (string | null)[] = []
  const upstream = createServer()
  let gateway: Serving

  beforeAll(async () => {
    // The SDK's own server refuses a call whose headers are not those of its arguments.
    const { fetch } = createMcpHandler(
      () => {
        const server = new McpServer({ name: "wants", version: "1" }, { capabilities: {} })
        const inputSchema = fromJsonSchema<typeof ARGS>(SCHEMA)
        server.registerTool("place", { inputSchema }, async (args) => ({
          content: [{ type: "text", text: JSON.stringify(args) }],
        }))
        return server
      },
      { legacy: "reject" },
    )
    upstream.on(
      "request",
      getRequestListener(
        (request) => {
          if (request.headers.get("mcp-method") === "tools/call") seen.push(request.headers.get("mcp-param-region"))
          return fetch(request)
        },
        { overrideGlobalObjects: false },
      ),
    )
    await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve))
    const url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/mcp`
    gateway = await serving(
      {
        servers: { s: { url } },
        hooks: [
          {
            id: "home",
            on: "call",
            phase: "before",
            when: { args: { region: "abroad" } },
            effect: "apply",
            rule: { apply: { merge: { region: "home" } } },
          },
        ],
      },
      ["--server", "s"],
    )
  }, 60_000)
  afterAll(async () => {
    await gateway.close()
    upstream.closeAllConnections()
    upstream.close()
  })

  it.each(["auto", "legacy"] as const)(
    "gets them for a client that begins with %s, of the final input",
    async (mode) => {
      const client = new Client({ name: "t", version: "1" }, { versionNegotiation: { mode } })
      await client.connect(new StreamableHTTPClientTransport(new URL(gateway.url)))
      await client.listTools()
      seen.length = 0
      for (const region of ["p → q", "abroad"]) {
        const { content } = await client.callTool({ name: "place", arguments: { ...ARGS, region } })
        expect(JSON.stringify(content)).toContain(region === "abroad" ? "home" : region)
      }
      expect(seen).toEqual([HEADERS["Mcp-Param-Region"], "home"])
      await client.close()
    },
  )

  it("is not called where a client's headers say something else than its arguments", async () => {
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "t", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    }
    seen.length = 0
    const answer = await fetch(gateway.url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": "place",
        ...HEADERS,
        "Mcp-Param-Region": "elsewhere",
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 7,
        method: "tools/call",
        params: { name: "place", arguments: ARGS, _meta },
      }),
    })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({
      id: 7,
      error: { code: -32020, message: expect.stringContaining("`Mcp-Param-Region` says something else") },
    })
    expect(seen).toEqual([])
  })
})
