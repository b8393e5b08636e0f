import { afterEach, describe, expect, it, vi } from "vitest"
import type { JsonObject } from "../../effects/json.ts"
import { type Message, RawClient } from "./raw.ts"
import { scripted, stub } from "./servers.ts"

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

describe("a server that goes on without its output", () => {
  it("is lost to the call under way, and started anew for the next", async () => {
    const manners = `if (params.arguments.n === 1) { process.stdout.end(); setInterval(() => {}, 1000) } else text("said")`
    const client = await gateway(manners)
    expect((await client.call("s__do", { n: 1 })).error?.message).toBe(
      "the server `s` was lost: it ended with its output closed",
    )
    expect(textsOf(await client.call("s__do", { n: 2 }))).toEqual(["said"])
  })
})

describe("a storm of news", () => {
  it("reaches a client that reads slowly in its order, and leaves no trace on stderr", async () => {
    const manners = `for (let at = 0; at < 3000; at++) send({ method: "notifications/message", params: { level: "info", data: at } })
      text("said")`
    const client = await gateway(manners)
    expect(textsOf(await client.call("s__do", { n: 1 }))).toEqual(["said"])
    const news = client.said.filter(({ method }) => method === "notifications/message")
    expect(news.map(({ params }) => params?.data)).toEqual(Array.from({ length: 3000 }, (_, at) => at))
    expect(client.stderr).toBe("")
  })
})

describe("what hooks say or put in a result's place", () => {
  const hook = (id: string, on: string, phase: string, rule: JsonObject, more: JsonObject = {}): JsonObject => ({
    id,
    on,
    phase,
    rule,
    effect: "apply",
    ...more,
  })
  const before = (...hooks: JsonObject[]) => gateway("", { servers: { s: stub("bare") }, hooks }, "--server", "s")
  const read = { uri: "test://a" }
  const ADVICE = "Advice of the hook `tip`: try the other"

  it.each(["text", 5, { contents: "text" }, {}])(
    "is an error that names the hook where it is no result: %j",
    async (result) => {
      const client = await before(
        hook("mask", "resource.read", "onSuccess", { apply: { result } }),
        hook("swap", "prompt.get", "onSuccess", { apply: { result } }),
      )
      const message = (by: string, member: string) =>
        `the hook \`${by}\` has put in the place of the result what is none: it needs a list \`${member}\``
      expect(await client.request("resources/read", read)).toMatchObject({
        error: { message: message("mask", "contents"), data: { hook: "mask" } },
      })
      expect(await client.request("prompts/get", { name: "p" })).toMatchObject({
        error: { message: message("swap", "messages"), data: { hook: "swap" } },
      })
    },
  )

  it("is the result where it is one", async () => {
    const result = { contents: [{ uri: "test://a", text: "***" }] }
    const client = await before(hook("mask", "resource.read", "onSuccess", { apply: { result } }))
    expect((await client.request("resources/read", read)).result).toEqual(result)
  })

  it("stands beside a server's own error, and beside a refusal of a resource", async () => {
    const tip = { advise: "try the other" }
    const client = await before(
      hook("tip", "call", "onError", tip),
      hook("tip", "resource.read", "before", tip, { id: "tip2", effect: "ask" }),
      hook("no", "resource.read", "before", { refuse: "not this one" }, { effect: "ask" }),
    )
    expect((await client.call("wrong")).error).toEqual({
      code: -32050,
      message: "out of paper",
      data: { "detent/error": { code: "protocol", data: { code: -32050, data: "tray 2" } }, "detent/advice": [ADVICE] },
    })
    expect((await client.request("resources/read", read)).error?.data).toMatchObject({
      "detent/refusal": { hook: "no" },
      "detent/advice": [ADVICE.replace("tip", "tip2")],
    })
  })

  it("of a listing is told with it, also where the listing is refused", async () => {
    const rules = { propose: { note: "fewer" }, advise: "too many" }
    const client = await before(
      hook("tip", "tools.list", "onSuccess", rules),
      hook("no", "tools.list", "onSuccess", { refuse: "none today" }, { effect: "ask" }),
    )
    expect((await client.request("tools/list")).result).toEqual({
      tools: [],
      _meta: {
        "detent/diagnostics": [
          "the tools of `s` are withheld: none today",
          "advice of the hook `tip` on `s`: too many",
          'proposal of the hook `tip` on `s`, not applied: {"note":"fewer"}',
        ],
      },
    })
  })

  it("is nothing where no hook has looked: a result without content stays without", async () => {
    const client = await before()
    expect((await client.call("failed")).result).toEqual({ isError: true })
    expect((await client.call("nothing")).result).toEqual({})
  })

  it.each([
    [
      { isError: true, why: "closed" },
      { isError: true, structuredContent: { isError: true, why: "closed" } },
    ],
    [{ content: "hi" }, { structuredContent: { content: "hi" } }],
  ])("is a result that says all of it where it is no content: %j", async (result, shown) => {
    const client = await before(hook("answer", "call", "before", { apply: { result } }))
    const content = [{ type: "text", text: JSON.stringify(result) }]
    expect((await client.call("nothing")).result).toEqual({ content, ...shown })
  })
})
