import { describe, expect, it } from "vitest"
import { Bus } from "../../daemon/bus.ts"

const publish = (bus: Bus, count: number, type = "call.started"): void => {
  for (let at = 0; at < count; at++) bus.publish({ type, seq: bus.next() })
}

const seqs = (text: string | undefined): number[] =>
  [...(text ?? "").matchAll(/^id: (\d+)$/gm)].map(([, seq]) => Number(seq))

describe("the bus", () => {
  it("hands on what a reader asks for, in order, as one text", async () => {
    const bus = new Bus()
    const reader = bus.subscribe({ kinds: ["hook.", "call.failed"] })
    publish(bus, 1)
    publish(bus, 1, "hook.started")
    publish(bus, 1, "call.failed")
    expect(seqs(await reader.read(1000))).toEqual([2, 3])
  })

  it("never holds more than a queue for a reader, counts what is lost, and says so where it was lost", async () => {
    const bus = new Bus()
    const reader = bus.subscribe({})
    publish(bus, 300)
    expect(bus.dropped).toBe(44)
    expect(seqs(await reader.read(1000))).toEqual(Array.from({ length: 256 }, (_, at) => at + 1))
    publish(bus, 1)
    const next = (await reader.read(1000))!
    expect(next.startsWith('event: dropped\ndata: {"dropped":44}\n\n')).toBe(true)
    expect(seqs(next)).toEqual([301])
  })

  it("keeps 1024 events for those who come back, and tells how many are gone", async () => {
    const bus = new Bus()
    publish(bus, 1100)
    expect(seqs(await bus.subscribe({ from: 1098 }).read(1000))).toEqual([1099, 1100])
    const late = (await bus.subscribe({ from: 10 }).read(1000))!
    expect(late.startsWith('event: dropped\ndata: {"dropped":66}\n\n')).toBe(true)
    expect(seqs(late)).toHaveLength(1024)
  })

  it("takes a number that it has not come to yet for one of a daemon before it", async () => {
    const bus = new Bus()
    publish(bus, 2)
    expect(seqs(await bus.subscribe({ from: 5000 }).read(1000))).toEqual([1, 2])
  })

  it("lets readers read what waits when it closes, and then ends", async () => {
    const bus = new Bus()
    const reader = bus.subscribe({})
    publish(bus, 1)
    bus.close()
    expect(seqs(await reader.read(1000))).toEqual([1])
    expect(await reader.read(1000)).toBeUndefined()
    expect(bus.subscribers).toBe(0)
  })

  it("answers an empty text where nothing comes", async () => {
    expect(await new Bus().subscribe({}).read(1)).toBe("")
  })
})
