import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { afterEach, describe, expect, it, vi } from "vitest"
import { RawClient } from "./raw.ts"
import { stub } from "./servers.ts"
import { serving } from "./serving.ts"

vi.setConfig({ testTimeout: 60_000 })

const open: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()))
})

const SERVERS = { servers: { s: stub("watched") } }
const ONE = { uri: "test://one" }

describe("a client that follows a resource", () => {
  it("still hears of it, at its own level, after the server has died and started again", async () => {
    const client = await RawClient.start(SERVERS, ["--server", "s"])
    open.push(client)
    const updates = () => client.said.filter(({ method }) => method === "notifications/resources/updated").length
    await client.request("resources/subscribe", ONE)
    await client.request("logging/setLevel", { level: "warning" })
    await client.call("touch")
    expect(updates()).toBe(1)
    expect((await client.call("die")).error).toBeDefined()
    // The first call starts it, and the second finds it told.
    await client.call("touch")
    const level = (await client.call("touch")).result?.content?.[0]?.text
    expect({ level, heard: updates() > 1 }).toEqual({ level: "warning", heard: true })
  })

  it("is refused a level that is none, and the one before stays", async () => {
    const client = await RawClient.start(SERVERS, ["--server", "s"])
    open.push(client)
    await client.request("logging/setLevel", { level: "error" })
    expect((await client.request("logging/setLevel", { level: "loud" })).error).toMatchObject({
      code: -32602,
      message: expect.stringContaining("must be one of debug, info"),
    })
    expect((await client.call("touch")).result?.content?.[0]?.text).toBe("error")
  })

  it("hears of it also when another that followed it does so no more, or is gone", async () => {
    const gateway = await serving(SERVERS, ["--server", "s"])
    const heard = [0, 0, 0]
    const clients = await Promise.all(
      heard.map(async (_, at) => {
        const client = new Client({ name: `c${at}`, version: "1" })
        client.setNotificationHandler("notifications/resources/updated", () => {
          heard[at] = (heard[at] ?? 0) + 1
        })
        const transport = new StreamableHTTPClientTransport(new URL(gateway.url))
        await client.connect(transport)
        await client.subscribeResource(ONE)
        return { client, transport }
      }),
    )
    const [stays, unsubscribes, leaves] = clients
    open.push(stays!.client, unsubscribes!.client, gateway)
    await unsubscribes!.client.unsubscribeResource(ONE)
    await leaves!.transport.terminateSession()
    await leaves!.client.close()
    await stays!.client.callTool({ name: "touch", arguments: {} })
    await expect.poll(() => heard, { timeout: 10_000 }).toEqual([1, 0, 0])
  })
})
