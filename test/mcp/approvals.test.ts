import { join } from "node:path"
import type { Client } from "@modelcontextprotocol/client"
import { afterEach, describe, expect, it, vi } from "vitest"
import type { JsonObject } from "../../effects/json.ts"
import { detent, folderWith, lines } from "../cli/capture.ts"
import { daemonWith, tokenIn } from "../daemon/world.ts"
import { type ClientChoice, throughGateway } from "./clients.ts"
import { plugin } from "./servers.ts"

const open: Client[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close()))
})

const ASKS = { id: "asks", on: "call", phase: "before", rule: { ask: "may it?" }, effect: "ask" }

/** A gateway whose questions go to the store of this folder, and `detent approvals` beside it. */
async function gateway(more: JsonObject = {}, choice: ClientChoice = {}, cwd = folderWith()) {
  const env = { XDG_STATE_HOME: join(cwd, "state") }
  const policy = { servers: { plug: plugin() }, hooks: [ASKS], "mcp.approvals": true, ...more }
  const { client, stderr } = await throughGateway(policy, { ...choice, env })
  open.push(client)
  const call = (options: { readonly signal?: AbortSignal } = {}) =>
    client.callTool({ name: "plug__do", arguments: { n: 1 } }, options) as Promise<JsonObject>
  const approvals = async (words: readonly string[] = [], token?: string) =>
    detent(["approvals", ...words], { cwd, env: { ...env, ...(token ? { DETENT_TOKEN: token } : {}) } })
  const listed = async (state = "open") => lines((await approvals(["--state", state])).out)
  const waiting = (): Promise<string> =>
    vi.waitFor(async () => {
      const [one] = await listed()
      expect(one).toBeDefined()
      return String(one?.id)
    })
  return { cwd, client, stderr, call, approvals, listed, waiting }
}

describe("a question that a client cannot show", () => {
  it("waits for a person, and the call goes on with the answer, once", async () => {
    const { call, approvals, listed, waiting, stderr } = await gateway()
    const first = call()
    const id = await waiting()
    expect(await listed()).toMatchObject([{ caller: "local", questions: [{ hook: "asks", question: "may it?" }] }])
    expect(stderr()).toContain(`detent approvals ${id}`)
    const { code, err } = await approvals([id, "yes"])
    expect(code).toBe(0)
    expect(err).toContain("these are the questions of your own store")
    expect(await first).toMatchObject({ content: [{ text: "done" }] })
    expect(await listed("redeemed")).toMatchObject([{ id }])
    const second = call()
    expect(await waiting()).not.toBe(id)
    await approvals([await waiting(), "no"])
    expect(await second).toMatchObject({ isError: true, _meta: { "detent/refusal": { code: "denied" } } })
  })

  it("is answered through the daemon where one runs: the store is one", async () => {
    const cwd = folderWith({ "p.json": { version: 1 } })
    const { call, waiting } = await gateway({}, {}, cwd)
    const daemon = await daemonWith({ cwd })
    const calling = call()
    const id = await waiting()
    const { body } = await daemon.send({ path: "/v1/approvals", method: "GET" })
    expect(body.approvals).toMatchObject([{ id }])
    await daemon.send({ path: `/v1/approvals/${id}`, body: { answer: "yes" } })
    expect(await calling).toMatchObject({ content: [{ text: "done" }] })
  })

  it("refuses when its time is up, and when its call is taken back nobody can answer it any more", async () => {
    const short = await gateway({ "approvals.timeoutMs": 1 })
    expect(await short.call()).toMatchObject({ isError: true, _meta: { "detent/refusal": { code: "unanswered" } } })
    const { call, listed, waiting, approvals } = await gateway()
    const cancel = new AbortController()
    const calling = call({ signal: cancel.signal })
    const id = await waiting()
    cancel.abort()
    await expect(calling).rejects.toThrow()
    await vi.waitFor(async () => expect(await listed("withdrawn")).toMatchObject([{ id }]))
    expect(await approvals([id, "yes"])).toMatchObject({ code: 1, err: expect.stringContaining("was cancelled") })
  })

  it("is answered by whose token may approve, and never by the caller that caused it", async () => {
    const cwd = folderWith()
    const folder = join(cwd, "state", "detent")
    const scopes = ["approve"] as const
    const agent = await tokenIn({ folder }, "agent", { scopes })
    const person = await tokenIn({ folder }, "person", { scopes })
    const { call, approvals } = await gateway({}, { words: ["--caller", "agent"] }, cwd)
    const calling = call()
    const id = await vi.waitFor(async () => {
      const [one] = lines((await approvals([], person)).out)
      expect(one).toBeDefined()
      return String(one?.id)
    })
    expect((await approvals([id, "yes"])).err).toContain("has no token (set `DETENT_TOKEN`)")
    expect((await approvals([id, "yes"], await tokenIn({ folder }, "reader", { scopes: ["read"] }))).err).toContain(
      "no scope `approve`",
    )
    expect((await approvals([id, "yes"], agent)).err).toContain("who caused a question may not answer it")
    expect((await approvals([id, "yes"], person)).code).toBe(0)
    expect(await calling).toMatchObject({ content: [{ text: "done" }] })
  })
})

it("a client that can show a form is asked by it, and nothing waits", async () => {
  const { client, call, approvals } = await gateway({}, { capabilities: { elicitation: { form: {} } } })
  client.setRequestHandler("elicitation/create", async () => ({ action: "accept", content: { q1: "yes" } }))
  expect(await call()).toMatchObject({ content: [{ text: "done" }] })
  expect(lines((await approvals(["--state", "all"])).out)).toEqual([])
})

it("without `mcp.approvals` a question that a client cannot show refuses, and nothing is stored", async () => {
  const { call, approvals } = await gateway({ "mcp.approvals": false })
  expect(await call()).toMatchObject({ isError: true, _meta: { "detent/refusal": { reason: expect.any(String) } } })
  expect(await approvals()).toMatchObject({ code: 1, err: expect.stringContaining("no daemon answers") })
})
