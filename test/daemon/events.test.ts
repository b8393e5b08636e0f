import type { IncomingMessage } from "node:http"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { serverKind } from "../../daemon/notifications.ts"
import { HAPPENING_TYPES } from "../../policy/happenings.ts"
import { detent, EVENT, lines, policy, rule } from "../cli/capture.ts"
import { startBeside } from "../cli/process.ts"
import type { Loose } from "./client.ts"
import { daemonWith } from "./world.ts"

const NOTHING = policy([rule("says", { advise: "hm" })])

/** Reads events until there are so many, or until one is what is looked for. */
async function read(
  response: IncomingMessage,
  count: number,
  wanted: (event: Loose) => boolean = () => false,
): Promise<Loose[]> {
  const events: Loose[] = []
  let text = ""
  for await (const chunk of response) {
    text += String(chunk)
    const parts = text.split("\n\n")
    text = parts.pop()!
    for (const part of parts) {
      const data = /^data: (.*)$/m.exec(part)?.[1]
      if (data) events.push({ event: /^event: (.*)$/m.exec(part)![1], ...JSON.parse(data) })
    }
    if (events.length >= count || events.some(wanted)) break
  }
  response.destroy()
  return events
}

describe("GET /v1/events", () => {
  it("tells what happens as it happens, of the kinds that are asked for", async () => {
    const daemon = await daemonWith({ policy: NOTHING })
    const response = await daemon.open({ path: "/v1/events?kinds=hook.finished,call.decided" })
    expect(response.headers["content-type"]).toBe("text/event-stream")
    await daemon.decide(EVENT)
    expect(await read(response, 2)).toMatchObject([
      { event: "hook.finished", type: "hook.finished", hook: "says", tool: "write_file" },
      { event: "call.decided", outcome: "continue", args: EVENT.args, caller: { id: "local" } },
    ])
  })

  it("goes on from the last event that was seen", async () => {
    const daemon = await daemonWith({ policy: NOTHING })
    for (let at = 0; at < 3; at++) await daemon.decide(EVENT)
    const seen = await read(await daemon.open({ path: "/v1/events?kinds=call.decided&from=0" }), 3)
    expect(seen.map(({ seq }) => seq)).toEqual([3, 6, 9])
    const headers = { "last-event-id": "6" }
    expect(await read(await daemon.open({ path: "/v1/events?kinds=call.", headers }), 1)).toMatchObject([{ seq: 9 }])
  })

  it("loses what a reader that does not read is too slow for, and nothing waits for it", async () => {
    const daemon = await daemonWith({ policy: NOTHING })
    const response = await daemon.open({ path: "/v1/events" })
    response.pause()
    const args = { text: "x".repeat(20_000) }
    for (let at = 0; at < 400; at++) await daemon.decide({ ...EVENT, args })
    const { text } = await daemon.send({ path: "/metrics" })
    expect(Number(/^detent_events_dropped (\d+)$/m.exec(text)![1])).toBeGreaterThan(0)
    const events = await read(response, 1200, ({ event }) => event === "dropped")
    expect(events.find(({ event }) => event === "dropped")!.dropped).toBeGreaterThan(0)
  })

  it.each([
    ["kinds=clal.", "no kind of event begins with `clal.`"],
    ["from=later", "`later` is no number of an event"],
  ])("refuses ?%s", async (query, detail) => {
    const daemon = await daemonWith()
    expect(await daemon.send({ path: `/v1/events?${query}` })).toMatchObject({ status: 400, body: { detail } })
  })

  it("ends when the daemon stops", async () => {
    const daemon = await daemonWith()
    const response = await daemon.open({ path: "/v1/events" })
    const ended = new Promise((resolve) => response.resume().once("end", resolve))
    await daemon.running.stop(60_000)
    await ended
  })
})

describe("detent events", () => {
  it("lists the kinds", async () => {
    const { out } = await detent(["events", "--kinds"])
    expect(lines(out).map(({ kind }) => kind)).toEqual(HAPPENING_TYPES)
  })

  it("prints what happens until the daemon ends, from where one says", async () => {
    const daemon = await daemonWith({ policy: NOTHING })
    await daemon.decide(EVENT)
    const socket = join(daemon.cwd, "run", "d.sock")
    const printing = startBeside(["events", "call.decided", "--from", "0", "--socket", socket], { cwd: daemon.cwd })
    await expect
      .poll(async () => (await daemon.send({ path: "/metrics" })).text)
      .toMatch(/^detent_event_subscribers 1$/m)
    await daemon.decide(EVENT)
    await daemon.running.stop(5000)
    const { code, out } = await printing
    expect({ code, kinds: lines(out).map(({ type, seq }) => [type, seq]) }).toEqual({
      code: 0,
      kinds: [
        ["call.decided", 3],
        ["call.decided", 6],
      ],
    })
  })
})

it("what servers say outside of an answer has a kind of its own, each in the table", () => {
  const said = [
    "message",
    "progress",
    "tools/list_changed",
    "prompts/list_changed",
    "resources/list_changed",
    "resources/updated",
  ]
  const kinds = said.map((name) => serverKind(`notifications/${name}`))
  expect(kinds.filter((kind) => kind === undefined || !HAPPENING_TYPES.includes(kind))).toEqual([])
  expect(serverKind("notifications/cancelled")).toBeUndefined()
})
