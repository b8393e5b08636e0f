import { describe, expect, it } from "vitest"
import { FrameWriter } from "../../frames/ndjson.ts"

function sink() {
  const writes: string[] = []
  let later: (() => void)[] = []
  const turn = () => {
    const due = later
    later = []
    for (const fn of due) fn()
  }
  return {
    writes,
    turn,
    sink: { write: (text: string) => void writes.push(text), soon: (fn: () => void) => void later.push(fn) },
  }
}

describe("frames as NDJSON", () => {
  it("the first frame is written at once", () => {
    const { writes, sink: to } = sink()
    new FrameWriter(to).frame({ type: "start", runId: "r" })
    expect(writes).toEqual(['{"type":"start","runId":"r"}\n'])
  })

  it("those that follow in the same turn are one write, in their order", () => {
    const { writes, turn, sink: to } = sink()
    const writer = new FrameWriter(to)
    for (let n = 0; n < 100; n++) writer.frame({ n })
    turn()
    expect(writes).toHaveLength(2)
    expect(
      writes
        .join("")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line).n),
    ).toEqual(Array.from({ length: 100 }, (_, n) => n))
  })

  it("a full batch does not wait for the turn to be over", () => {
    const { writes, sink: to } = sink()
    const writer = new FrameWriter(to)
    writer.frame({})
    writer.frame({ text: "x".repeat(20_000) })
    expect(writes).toHaveLength(2)
  })

  it("after a pause the next frame is again written at once", () => {
    const { writes, turn, sink: to } = sink()
    const writer = new FrameWriter(to)
    writer.frame({ n: 1 })
    turn()
    writer.frame({ n: 2 })
    expect(writes).toHaveLength(2)
  })

  it("what is collected is there after a flush, once", () => {
    const { writes, turn, sink: to } = sink()
    const writer = new FrameWriter(to)
    writer.frame({ n: 1 })
    writer.frame({ n: 2 })
    writer.flush()
    turn()
    expect(writes.join("")).toBe('{"n":1}\n{"n":2}\n')
  })
})
