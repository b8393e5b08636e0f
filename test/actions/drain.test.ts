import { EventEmitter } from "node:events"
import { PassThrough } from "node:stream"
import { expect, test, vi } from "vitest"
import type { ChildEnd } from "../../actions/run/child.ts"

/** A child whose exit and output come when the test says. */
class Child extends EventEmitter {
  readonly pid = 0x7fffffff
  readonly stdin = new PassThrough()
  readonly stdout = new PassThrough()
  readonly stderr = new PassThrough()
}

const started: Child[] = []
vi.mock("node:child_process", () => ({
  spawn: () => {
    const child = new Child()
    started.push(child)
    return child
  },
}))

const { startChild } = await import("../../actions/run/child.ts")

const PLAN = { id: "x", file: "/x", argv0: "x", args: [], cwd: "/", env: {}, stdin: "" }
const busy = (ms: number) => {
  for (const until = performance.now() + ms; performance.now() < until; );
}
const textOf = (end: ChildEnd) => ("stdout" in end ? Buffer.from(end.stdout).toString() : end.how)

/**
 * Lets a child end with bytes in its pipe, and keeps this process busy. In the loop's next round the timers that are due
 * come first, and the next look at the streams (here: an immediate that was asked for before) comes after.
 */
function endWhileBusy(child: Child, ms: number): void {
  setImmediate(() => {
    child.emit("exit", 0, null)
    setImmediate(() => child.stdout.write("refused"))
    busy(ms)
  })
}

test("what a child wrote before it ended is read, however busy this process was meanwhile", async () => {
  const { ended } = startChild({ ...PLAN, timeoutMs: 5000 })
  endWhileBusy(started.at(-1)!, 300)
  expect(textOf(await ended)).toBe("refused")
})

test("the same when the time limit passes between the end and the reading", async () => {
  const { ended } = startChild({ ...PLAN, timeoutMs: 50 })
  endWhileBusy(started.at(-1)!, 100)
  expect(textOf(await ended)).toBe("refused")
})
