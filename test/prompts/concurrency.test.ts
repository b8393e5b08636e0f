import { describe, expect, it } from "vitest"
import { Turns } from "../../actions/prompt/turns.ts"
import { answered, EVENT, HOOK, hookFrames, until, WAYS, world } from "./asking.ts"

const w = world()
const hooks = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, at) => ({ ...HOOK, id: `judge-${at}`, ...more }))

describe.each(WAYS)("requests at once ($name)", (way) => {
  it.each([1, 2, 3])("are never more than the limit of %i, and all are made", async (concurrency) => {
    w.server.answer({ ...answered({ advise: "fine" }), delayMs: 40 })
    const engine = await w.engineOf(way, { hooks: hooks(7), model: { concurrency } })
    const verdict = await engine.fire("call", "before", EVENT)
    expect(verdict.advice).toHaveLength(7)
    expect(w.server.received).toHaveLength(7)
    expect(w.server.peak).toBe(concurrency)
  })

  it("are eight where nobody says", async () => {
    w.server.answer({ ...answered({}), delayMs: 100 })
    const engine = await w.engineOf(way, { hooks: hooks(12) })
    await engine.fire("call", "before", EVENT)
    expect(w.server.peak).toBe(8)
    expect(w.server.received).toHaveLength(12)
  })

  it("are counted over the operations of an engine", async () => {
    w.server.answer({ ...answered({}), delayMs: 40 })
    const engine = await w.engineOf(way, { model: { concurrency: 2 } })
    await Promise.all(Array.from({ length: 6 }, () => engine.fire("call", "before", EVENT)))
    expect(w.server.peak).toBe(2)
    expect(w.server.received).toHaveLength(6)
  })

  it("let one in again after another has failed, was cut off, or was given up", async () => {
    const behaviours = [{ status: 400 }, { raw: "" }, { silent: true as const }, answered({ advise: "fine" })]
    w.server.answer(...behaviours)
    const engine = await w.engineOf(way, { model: { concurrency: 1 }, hook: { timeoutMs: 1000 } })
    for (const kind of ["model-error", "model-error", "timeout", undefined]) {
      expect((await w.fire(engine)).frame.failed?.kind).toBe(kind)
    }
  })

  it("are waited for until the hook's time is over, and then nothing is sent", async () => {
    w.server.answer({ ...answered({}), delayMs: 1500 })
    const [slow, quick] = [
      { ...HOOK, id: "slow" },
      { ...HOOK, id: "quick", timeoutMs: 400 },
    ]
    const engine = await w.engineOf(way, { hooks: [slow, quick], model: { concurrency: 1 } })
    const frames = hookFrames(await engine.fire("call", "before", EVENT))
    expect(frames[0]).not.toHaveProperty("failed")
    expect(frames[1]!.failed?.kind).toBe("timeout")
    expect(w.server.received).toHaveLength(1)
  })

  it("that were given up while they waited hold no place", async () => {
    w.server.answer({ ...answered({}), delayMs: 300 })
    const engine = await w.engineOf(way, { model: { concurrency: 1 } })
    const gone = new AbortController()
    const first = engine.fire("call", "before", EVENT)
    await until(() => w.server.received.length === 1)
    const second = engine.fire("call", "before", EVENT, { signal: gone.signal })
    const third = engine.fire("call", "before", EVENT)
    gone.abort()
    await Promise.all([first, second, third])
    expect(w.server.received).toHaveLength(2)
  })
})

describe("turns", () => {
  const never = new AbortController().signal

  it("are given in the order in which they were asked for", async () => {
    const turns = new Turns(1)
    const order: number[] = []
    const back = (await turns.take(never))!
    const waiting = [1, 2, 3].map(async (one) => {
      const leave = (await turns.take(never))!
      order.push(one)
      leave()
    })
    back()
    await Promise.all(waiting)
    expect(order).toEqual([1, 2, 3])
  })

  it("are not given to who has gone already, nor to who goes while waiting", async () => {
    const turns = new Turns(1)
    expect(await turns.take(AbortSignal.abort())).toBeUndefined()
    const back = (await turns.take(never))!
    expect(await turns.take(AbortSignal.abort())).toBeUndefined()
    const gone = new AbortController()
    const waiting = turns.take(gone.signal)
    gone.abort()
    expect(await waiting).toBeUndefined()
    back()
    expect(await turns.take(never)).toBeTypeOf("function")
  })
})
