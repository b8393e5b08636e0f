import { beforeAll, describe, expect, it } from "vitest"
import { answered, until, WAYS, world } from "./asking.ts"

const w = world()
// The first request loads an SDK, and here that is not what is measured.
beforeAll(async () => {
  for (const way of WAYS) await w.ask(way, answered({}), { hook: { timeoutMs: 20_000 } })
})
const SLOW = { hook: { timeoutMs: 1000 } }
const TIMEOUT = { kind: "timeout", message: "no answer within the hook's time limit" }
const RATE_LIMITED = {
  kind: "rate-limited",
  message: "the model's provider asked to wait longer than the hook's time limit",
}

describe.each(WAYS)("a hook's time ($name)", (way) => {
  it.each([
    ["a server that never answers", { silent: true as const }],
    ["a server that sends its headers and no more", { stalls: true as const, text: '{"advise":"a longer text"}' }],
    ["a server that answers later", { delayMs: 3000 }],
  ])("is over at its end, and the request with it: %s", async (_, behaviour) => {
    const { frame, took, requests } = await w.ask(way, behaviour, SLOW)
    expect(frame.failed).toEqual(TIMEOUT)
    expect(took).toBeGreaterThanOrEqual(995)
    expect(took).toBeLessThan(1500)
    expect(requests).toHaveLength(1)
    await until(() => requests[0]!.closed)
    expect(w.server.received).toHaveLength(1)
  })

  it("is one for all attempts and waits", async () => {
    const { frame, took, requests } = await w.ask(way, [{ status: 500 }, { silent: true }], SLOW)
    expect(frame.failed).toEqual(TIMEOUT)
    expect(took).toBeLessThan(1500)
    expect(requests).toHaveLength(2)
    await until(() => requests[1]!.closed)
  })

  it("is not spent on a wait that would not fit", async () => {
    const { frame, took, requests } = await w.ask(way, { status: 429, headers: { "retry-after": "60" } }, SLOW)
    expect(frame.failed).toEqual(RATE_LIMITED)
    expect(took).toBeLessThan(500)
    expect(requests).toHaveLength(1)
  })

  it.each([500, 502, 503, 504, 529, 408, 409, 429])("is enough for another attempt after %i", async (status) => {
    const failing = { status, headers: { "retry-after-ms": "1" } }
    const { frame, requests } = await w.ask(way, [failing, answered({ refuse: "no" })])
    expect(frame.refuse).toEqual({ reason: "no" })
    expect(requests).toHaveLength(2)
    expect(requests[1]!.body).toEqual(requests[0]!.body)
  })

  it.each([
    ["seconds", { "retry-after": "0.3" }],
    ["milliseconds", { "retry-after-ms": "300" }],
    ["the milliseconds before the seconds", { "retry-after-ms": "300", "retry-after": "60" }],
  ])("is waited for as long as the server asks, in %s", async (_, headers) => {
    const { frame, took } = await w.ask(way, [{ status: 503, headers }, answered({ refuse: "no" })])
    expect(frame.refuse).toEqual({ reason: "no" })
    expect(took).toBeGreaterThanOrEqual(295)
  })

  it("is not waited for at all where the server names a moment that is past", async () => {
    const headers = { "retry-after": new Date(Date.now() - 60_000).toUTCString() }
    const { frame, took } = await w.ask(way, [{ status: 503, headers }, answered({ refuse: "no" })])
    expect(frame.refuse).toEqual({ reason: "no" })
    expect(took).toBeLessThan(1000)
  })

  it("is not waited for where the moment would not fit", async () => {
    const headers = { "retry-after": new Date(Date.now() + 3_600_000).toUTCString() }
    const { frame, took } = await w.ask(way, { status: 503, headers }, SLOW)
    expect(frame.failed?.kind).toBe("model-error")
    expect(took).toBeLessThan(500)
  })

  it("allows five attempts and no more", async () => {
    const headers = { "retry-after-ms": "1" }
    const { frame, requests } = await w.ask(way, { status: 500, headers })
    expect(frame.failed?.kind).toBe("model-error")
    expect(requests).toHaveLength(5)
  })
})

describe.each(WAYS)("a caller that gives up ($name)", (way) => {
  it.each([
    ["before the answer", { silent: true as const }],
    ["in the middle of it", { stalls: true as const, text: '{"advise":"a longer text"}' }],
    ["in a wait between two attempts", { status: 503, headers: { "retry-after": "3" } }],
  ])("ends the request on the wire: %s", async (_, behaviour) => {
    w.server.answer(behaviour)
    const controller = new AbortController()
    const engine = await w.engineOf(way)
    const asked = w.fire(engine, { fire: { signal: controller.signal } })
    await until(() => w.server.received.length > 0)
    await new Promise((resolve) => setTimeout(resolve, 50))
    controller.abort()
    const { verdict, frame, took } = await asked
    expect(took).toBeLessThan(3000)
    expect(verdict.refusal?.code).toBe("cancelled")
    expect(frame.failed).toEqual({ kind: "timeout", message: `${TIMEOUT.message}: the operation was cancelled` })
    expect(w.server.received).toHaveLength(1)
    if (!("status" in behaviour)) await until(() => w.server.received[0]!.closed)
  })

  it("beforehand sends nothing", async () => {
    w.server.answer({})
    const { frame } = await w.fire(await w.engineOf(way), { fire: { signal: AbortSignal.abort() } })
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(frame?.failed ?? frame?.skipped).toBeDefined()
    expect(w.server.received).toHaveLength(0)
  })
})

describe.each(WAYS)("a step of a workflow ($name)", (way) => {
  it.each([
    ["waits for its headers", { silent: true as const }],
    ["waits for its text", { stalls: true as const, text: '{"advise":"a longer text"}' }],
  ])("is ended at its own time, also where it %s", async (_, behaviour) => {
    const workflow = { entry: "judge", steps: { judge: { prompt: "Judge @args", timeoutMs: 300 } } }
    const { frame, took, requests } = await w.ask(way, behaviour, {
      hook: { prompt: undefined, workflow, timeoutMs: 10_000 },
    })
    expect(frame.failed).toEqual(TIMEOUT)
    expect(took).toBeLessThan(3000)
    await until(() => requests[0]!.closed)
  })
})
