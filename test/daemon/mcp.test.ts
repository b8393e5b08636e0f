import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Client, type ClientCapabilities, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { afterEach, describe, expect, it } from "vitest"
import type { Decision } from "../../store/audit/row.ts"
import { policy, rule } from "../cli/capture.ts"
import { daemonWith, type Started, tokenIn } from "./world.ts"

const EVERYTHING = fileURLToPath(
  new URL("../../node_modules/@modelcontextprotocol/server-everything/dist/index.js", import.meta.url),
)
const served = (hooks: readonly object[], more: object = {}): string =>
  policy(hooks, { servers: { all: { command: [process.execPath, EVERYTHING, "stdio"] } }, ...more })

const clients: Client[] = []
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()))
})

const urlOf = ({ way }: Started): URL => new URL(`http://127.0.0.1:${(way as { port: number }).port}/mcp`)

/** A client of the official SDK before a daemon's `/mcp`. */
async function connected(
  daemon: Started,
  token: string,
  capabilities: ClientCapabilities = {},
  mode: "legacy" | "auto" = "legacy",
): Promise<Client> {
  const client = new Client({ name: "test", version: "1" }, { capabilities, versionNegotiation: { mode } })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(urlOf(daemon), { requestInit }))
  clients.push(client)
  return client
}

const rowsOf = () => {
  const rows: Decision[] = []
  const audit = {
    async append(decision: Decision) {
      rows.push(decision)
      return { seq: rows.length, hash: "" }
    },
  }
  return { rows, audit }
}

const echo = (client: Client, message = "hi") => client.callTool({ name: "all__echo", arguments: { message } })

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
}
const JSON_IN = { accept: "application/json, text/event-stream", "content-type": "application/json" }

describe("/mcp of the daemon", () => {
  it.each(["legacy", "auto"] as const)(
    "lists and calls through the hooks, in the record and on the bus, as whoever the token says (%s)",
    async (mode) => {
      const { rows, audit } = rowsOf()
      const daemon = await daemonWith({
        policy: served([
          rule("secret", { refuse: "no @caller.id" }, { effect: "ask", when: { args: { message: "secret" } } }),
        ]),
        audit,
        tcp: true,
      })
      const token = await tokenIn(daemon, "ci", { scopes: ["exec", "read"] })
      const client = await connected(daemon, token, {}, mode)
      const { tools } = await client.listTools()
      expect(tools.map(({ name }) => name)).toContain("detent_call")
      expect(await echo(client)).toMatchObject({ content: [{ text: "Echo: hi" }] })
      expect(await echo(client, "secret")).toMatchObject({
        isError: true,
        content: [{ text: expect.stringMatching(/no "ci"/) }],
      })
      const calls = rows.filter(({ on }) => on === "call")
      expect(calls.map(({ phase, outcome, caller }) => [phase, outcome, caller.id])).toEqual([
        ["before", "continue", "ci"],
        [undefined, "continue", "ci"],
        [undefined, "refuse", "ci"],
      ])
      expect(rows.some(({ on, phase }) => on === "tools.list" && phase === "onSuccess")).toBe(true)
      const { text } = await daemon.send({ path: "/metrics", token })
      expect(text).toContain('detent_decisions_total{on="call",outcome="refuse"} 1')
    },
  )

  it("takes no client without a token that may call tools, and no foreign page", async () => {
    const daemon = await daemonWith({ policy: served([]), tcp: true })
    const token = await tokenIn(daemon, "reader", { scopes: ["read"] })
    const sent = { path: "/mcp", body: INITIALIZE, headers: JSON_IN }
    expect((await daemon.send(sent)).status).toBe(401)
    expect((await daemon.send({ ...sent, token })).status).toBe(403)
    const foreign = { ...JSON_IN, origin: "https://evil.example" }
    expect((await daemon.send({ ...sent, token, headers: foreign })).body.type).toBe(
      "urn:detent:problem:foreign-origin",
    )
  })

  it("lets nobody into another caller's session", async () => {
    const daemon = await daemonWith({ policy: served([]), tcp: true })
    const [ann, bob] = [
      await tokenIn(daemon, "ann", { scopes: ["exec"] }),
      await tokenIn(daemon, "bob", { scopes: ["exec"] }),
    ]
    const begun = await daemon.send({ path: "/mcp", body: INITIALIZE, headers: JSON_IN, token: ann })
    const id = String(begun.headers["mcp-session-id"])
    const list = {
      path: "/mcp",
      body: { jsonrpc: "2.0", id: 2, method: "tools/list" },
      headers: { ...JSON_IN, "mcp-session-id": id },
    }
    expect((await daemon.send({ ...list, token: bob })).status).toBe(404)
    expect((await daemon.send({ ...list, token: ann })).status).toBe(200)
  })

  it.each([
    ["an array", '[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"all__echo","arguments":{}}}]'],
    ["an empty array after space", "  \n[]"],
    ["an array in an array", "[[]]"],
    ["a method that is no text", '{"jsonrpc":"2.0","id":1,"method":["tools/call"]}'],
  ])("answers %s with an error, one row in the record, and nothing else", async (_, raw) => {
    const { rows, audit } = rowsOf()
    const daemon = await daemonWith({ policy: served([rule("any", { advise: "ran" })]), audit })
    const { status, body } = await daemon.send({ path: "/mcp", raw, headers: JSON_IN })
    expect({ status, body }).toMatchObject({ status: 400, body: { id: null, error: { code: -32600 } } })
    expect(rows).toMatchObject([{ on: "mcp", outcome: "refuse", caller: { id: "local" } }])
  })

  it("asks the person at the client, and who answered is kept", async () => {
    const daemon = await daemonWith({ policy: served([rule("asks", { ask: "echo?" }, { effect: "ask" })]), tcp: true })
    const token = await tokenIn(daemon, "ci", { scopes: ["exec", "approve"] })
    const client = await connected(daemon, token, { elicitation: {} })
    const answers = ["yes", "no"]
    client.setRequestHandler("elicitation/create", async () => ({
      action: "accept",
      content: { q1: answers.shift()! },
    }))
    expect(await echo(client)).toMatchObject({ content: [{ text: "Echo: hi" }] })
    expect(await echo(client)).toMatchObject({ isError: true })
    const { approvals } = (await daemon.send({ path: "/v1/approvals?state=all", token })).body
    const by = { id: "the person at ci", known: "self-reported" }
    expect(approvals).toMatchObject([
      { state: "redeemed", answers: ["yes"], answeredBy: by },
      { state: "redeemed", answers: ["no"], answeredBy: by },
    ])
  })

  it("leaves a question that a client cannot put to anybody to the daemon's approvals", async () => {
    const { rows, audit } = rowsOf()
    const daemon = await daemonWith({
      policy: served([rule("asks", { ask: "echo?" }, { effect: "ask" })]),
      audit,
      tcp: true,
    })
    const token = await tokenIn(daemon, "ci", { scopes: ["exec"] })
    const person = await tokenIn(daemon, "person", { scopes: ["approve"] })
    const calling = echo(await connected(daemon, token))
    const waiting = async () => (await daemon.send({ path: "/v1/approvals", token: person })).body.approvals
    await expect.poll(waiting, { timeout: 10_000 }).toHaveLength(1)
    const [{ id }] = await waiting()
    await daemon.send({ path: `/v1/approvals/${id}`, body: { answer: "yes" }, token: person })
    expect(await calling).toMatchObject({ content: [{ text: "Echo: hi" }] })
    expect(rows.at(-1)).toMatchObject({ on: "call", approval: id })
  })

  it("keeps sessions when the policy changes, under the new hooks at once", async () => {
    const daemon = await daemonWith({ policy: served([]), tcp: true })
    const token = await tokenIn(daemon, "ci", { scopes: ["exec"] })
    const client = await connected(daemon, token)
    expect(await echo(client)).toMatchObject({ content: [{ text: "Echo: hi" }] })
    writeFileSync(join(daemon.cwd, "p.json"), served([rule("no", { refuse: "from now on" }, { effect: "ask" })]))
    await daemon.running.reload()
    expect(await echo(client)).toMatchObject({ isError: true })
  })

  it("fires hooks no higher than the token's own autonomy", async () => {
    const changes = rule("changes", { apply: { merge: { message: "changed" } } })
    const daemon = await daemonWith({ policy: served([changes]), tcp: true })
    const token = await tokenIn(daemon, "ci", { scopes: ["exec"], autonomy: "advise" })
    expect(await echo(await connected(daemon, token))).toMatchObject({ content: [{ text: "Echo: hi" }] })
  })

  it("gives out `detent_exec` where the operator does, and its calls pass the hooks", async () => {
    const no = rule("no", { refuse: "not in scripts" }, { effect: "ask", when: { tool: "echo" } })
    const daemon = await daemonWith({ policy: served([no], { "mcp.exec": true }), tcp: true })
    const token = await tokenIn(daemon, "ci", { scopes: ["exec"] })
    const client = await connected(daemon, token)
    const run = (code: string) => client.callTool({ name: "detent_exec", arguments: { code } })
    expect(await run("return 1 + 1")).toMatchObject({ content: [{ text: "2" }] })
    expect(JSON.stringify(await run("return call('all/echo', { message: 'x' })"))).toContain("not in scripts")
  })

  it("gives `detent_exec` lines and hooks of one call, which go no higher than the caller's token", async () => {
    const daemon = await daemonWith({ policy: served([], { "mcp.exec": true, "script.prefix": "emit(1)" }), tcp: true })
    const token = await tokenIn(daemon, "ci", { scopes: ["exec"], autonomy: "advise" })
    const client = await connected(daemon, token)
    const run = (more: object) =>
      client.callTool({ name: "detent_exec", arguments: { code: "return script.args", args: [1], ...more } })
    const hooks = [rule("mine", { refuse: "no" }, { on: "script", effect: "ask" })]
    const { content } = (await run({ hooks, script: { suffix: "emit('mine')" } })) as { content: { text: string }[] }
    expect(content.at(-1)?.text).toBe("[1]")
    expect(content[0]?.text).toContain('"mine"')
    expect(content[0]?.text).not.toContain('"value":1')
    expect(content[0]?.text).toContain(
      "skipped script.prefix from p.json:1: it needs run, and the caller's level is advise",
    )
    const elsewhere = run({ hooks: [rule("mine", { refuse: "no" }, { effect: "ask" })] })
    await expect(elsewhere).rejects.toThrow("the hook `mine` is on `call`")
  })

  it("ends what its sessions are told when the daemon stops", async () => {
    const daemon = await daemonWith({ policy: served([]), tcp: true })
    const token = await tokenIn(daemon, "ci", { scopes: ["exec"] })
    await connected(daemon, token)
    await connected(daemon, token, {}, "auto")
    await daemon.running.stop(60_000)
    expect(daemon.log.map(({ message }) => message)).not.toContain("cutting what is still running")
  })
})
