import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { JsonObject } from "../../effects/json.ts"
import { Sent } from "../../mcp/gateway/sent.ts"
import { scripted } from "./servers.ts"
import { type Serving, serving } from "./serving.ts"

let gateway: Serving
beforeAll(async () => {
  const source = `await new Promise((resolve) => setTimeout(resolve, 400)); text("late")`
  gateway = await serving({ servers: { s: scripted(source) } }, ["--server", "s"])
}, 60_000)
afterAll(() => gateway.close())

const ACCEPT = { accept: "application/json, text/event-stream" }

const post = (message: JsonObject, headers: Record<string, string> = {}, signal?: AbortSignal): Promise<Response> =>
  fetch(gateway.url, {
    method: "POST",
    headers: { ...ACCEPT, "content-type": "application/json", ...headers },
    body: JSON.stringify({ jsonrpc: "2.0", ...message }),
    ...(signal && { signal }),
  })

/** Comes back; as long as the gateway has not heard that the old connection is broken, it says that there is one. */
async function resume(headers: Record<string, string>, last: string): Promise<Response> {
  const answer = await fetch(gateway.url, {
    headers: { accept: "text/event-stream", ...headers, "last-event-id": last },
  })
  if (answer.status !== 409) return answer
  await new Promise((resolve) => setTimeout(resolve, 20))
  return resume(headers, last)
}

/** A session that stands: the headers of its requests. */
async function session(): Promise<Record<string, string>> {
  const protocolVersion = "2025-11-25"
  const params = { protocolVersion, capabilities: {}, clientInfo: { name: "t", version: "1" } }
  const began = await post({ id: 0, method: "initialize", params })
  await began.text()
  const headers = {
    "mcp-session-id": began.headers.get("mcp-session-id") ?? "",
    "mcp-protocol-version": protocolVersion,
  }
  await post({ method: "notifications/initialized" }, headers)
  return headers
}

const CALL = { id: 1, method: "tools/call", params: { name: "do", arguments: { n: 1 } } }

/** Calls, and loses the connection before the answer. @returns the id of the last event that came */
async function broken(headers: Record<string, string>): Promise<string> {
  const lost = new AbortController()
  const called = await post(CALL, headers, lost.signal)
  const { value } = await called.body!.getReader().read()
  lost.abort()
  return /id: (\S+)/.exec(Buffer.from(value!).toString("utf8"))?.[1] ?? ""
}

describe("a client of the older revision whose connection broke in the middle of a call", () => {
  it("comes back with the last event that it has, and gets the answer, before or after that is there", async () => {
    const headers = await session()
    const early = await broken(headers)
    expect(await (await resume(headers, early)).text()).toContain('"text":"late"')
    // It is there by now, and the connection that was given it may have broken again.
    const again = await (await resume(headers, early)).text()
    expect(again).toContain('"text":"late"')
    expect(again.match(/"id":1/g)).toHaveLength(1)
  })

  it("gets an error where nothing is known of that event, or where it is another's", async () => {
    const headers = await session()
    const last = await broken(headers)
    for (const [who, id] of [
      [headers, "none"],
      [await session(), last],
    ] as const) {
      const answer = await resume(who, id)
      expect(answer.status).toBe(400)
      expect(await answer.json()).toMatchObject({ error: { message: expect.stringContaining("is not kept any more") } })
    }
  })
})

describe("what was sent", () => {
  const message = (n: number) => ({ jsonrpc: "2.0" as const, method: "m", params: { n, text: "x".repeat(100) } })

  async function missed(store: ReturnType<Sent["session"]>, id: string): Promise<unknown[]> {
    const got: unknown[] = []
    await store.replayEventsAfter(id, {
      send: async (_, { params }: JsonObject) => void got.push((params as JsonObject).n),
    })
    return got
  }

  it("is kept by stream and by session, and the message that opens a stream is none", async () => {
    const sent = new Sent()
    const [one, two] = [sent.session(), sent.session()]
    const first = await one.storeEvent("a", {} as never)
    await one.storeEvent("b", message(1))
    await one.storeEvent("a", message(2))
    await two.storeEvent("a", message(3))
    await one.storeEvent("a", message(4))
    expect(await missed(one, first)).toEqual([2, 4])
    expect(two.knows(first)).toBe(false)
    one.forget()
    expect(one.knows(first)).toBe(false)
  })

  it.each([{ bytes: 1000 }, { events: 6 }])(
    "is not kept for ever: the oldest goes first, and nobody is given a stream with a hole (%j)",
    async (limits) => {
      const sent = new Sent(limits)
      const store = sent.session()
      const ids: string[] = []
      for (let n = 0; n < 20; n++) ids.push(await store.storeEvent("a", message(n)))
      const kept = ids.filter((id) => store.knows(id))
      expect(kept.length).toBeGreaterThan(3)
      expect(kept.length).toBeLessThan(10)
      expect(kept).toEqual(ids.slice(-kept.length))
      expect(await missed(store, kept[0]!)).toHaveLength(kept.length - 1)
    },
  )
})
