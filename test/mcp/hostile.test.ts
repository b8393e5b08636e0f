import { afterEach, describe, expect, it, vi } from "vitest"
import type { JsonObject } from "../../effects/json.ts"
import { type Message, RawClient } from "./raw.ts"
import { scripted } from "./servers.ts"

vi.setConfig({ testTimeout: 60_000 })

const open: RawClient[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close()))
})

/** A gateway before one server of these manners. */
async function gateway(manners: string, policy: JsonObject = {}, ...words: string[]): Promise<RawClient> {
  const client = await RawClient.start({ servers: { s: scripted(manners) }, ...policy }, words)
  open.push(client)
  return client
}

const ECHO = "text(JSON.stringify(params))"
const textsOf = ({ result }: Message): string[] => (result?.content ?? []).map(({ text }) => text)
const message = (id: unknown, name: string, args: JsonObject) =>
  JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } })

describe("a client that", () => {
  it.each(["9007199254740993", "1.5", "1e400"])("gives a request the id %s is told that this is none", async (id) => {
    const client = await gateway(ECHO)
    client.write(message("ID", "s__do", { n: 1 }).replace('"ID"', id))
    const { error } = await client.until((said) => said.id === null)
    expect(error).toMatchObject({ code: -32600, message: expect.stringContaining("whole number") })
    // Nothing was sent: the next call is the first that its server sees.
    expect(textsOf(await client.call("s__do", { n: 1 }))).toHaveLength(1)
  })

  it("uses the id of a call that it has cancelled is answered under it, though a hook still looks at the end of the first", async () => {
    const slow = { id: "slow", on: "call", phase: "onError", run: ["sh", "-c", "sleep 1"] }
    const manners = "if (params.arguments.n === 1) return; setTimeout(() => text('second'), 2000)"
    const client = await gateway(manners, { hooks: [slow] })
    await client.request("tools/list")
    client.write(message(5, "s__do", { n: 1 }))
    client.write(JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 5 } }))
    expect(textsOf(await client.request("tools/call", { name: "s__do", arguments: { n: 2 } }, 5))).toEqual(["second"])
  })

  it.each([
    [{ tool: "s/do", args: { n: 1 } }, "unknown: `args`"],
    [{ tool: "s/", arguments: {} }, "`tool` must be `server/tool`"],
  ])("gives detent_call %j is told what is wrong, and nothing is called", async (args, why) => {
    const client = await gateway(ECHO)
    expect((await client.call("detent_call", args)).error).toMatchObject({
      code: -32602,
      message: expect.stringContaining(why),
    })
  })
})

describe("a server that", () => {
  it("writes the id of an answer twice answers the call that it was asked, and no other", async () => {
    const manners = `const result = JSON.stringify({ content: [{ type: "text", text: "said" }] })
      process.stdout.write('{"jsonrpc":"2.0","id":"' + id + '","result":' + result + ',"id":"' + id + '"}\\n')`
    const client = await gateway(manners)
    expect(textsOf(await client.call("s__do", { n: 1 }))).toEqual(["said"])
  })
})
