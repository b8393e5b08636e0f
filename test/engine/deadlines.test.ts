import { describe, expect, test } from "vitest"
import { DeadlineWheel } from "../../engine/deadlines.ts"

/** A clock that is turned by hand, and counts the timers that were ever set. */
function clock() {
  let now = 1000
  let timers: { at: number; fn: () => void }[] = []
  let set = 0
  return {
    now: () => now,
    after(ms: number, fn: () => void) {
      const timer = { at: now + ms, fn }
      timers.push(timer)
      set++
      return () => {
        timers = timers.filter((other) => other !== timer)
      }
    },
    advance(ms: number) {
      const until = now + ms
      for (;;) {
        const next = timers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0]
        if (!next) break
        timers = timers.filter((other) => other !== next)
        now = next.at
        next.fn()
      }
      now = until
    },
    get pending() {
      return timers.length
    },
    get set() {
      return set
    },
  }
}

describe("the deadline wheel", () => {
  test("fires no earlier than asked and at most two slots later", () => {
    const time = clock()
    const wheel = new DeadlineWheel(time.now, time.after)
    let fired = 0
    wheel.add(100, () => (fired = time.now()))
    time.advance(99)
    expect(fired).toBe(0)
    time.advance(60)
    expect(fired).toBeGreaterThanOrEqual(1100)
    expect(fired).toBeLessThanOrEqual(1140)
  })

  test("a cancelled entry never fires, and no timer stays behind", () => {
    const time = clock()
    const wheel = new DeadlineWheel(time.now, time.after)
    let fired = false
    wheel.add(50, () => (fired = true)).cancel()
    time.advance(200)
    expect(fired).toBe(false)
    expect(time.pending).toBe(0)
  })

  test("ten thousand entries share one timer", () => {
    const time = clock()
    const wheel = new DeadlineWheel(time.now, time.after)
    for (let i = 0; i < 10_000; i++) wheel.add(5000, () => {})
    expect(time.pending).toBe(1)
    expect(time.set).toBe(1)
  })

  test("an entry added while another fires gets its own turn", () => {
    const time = clock()
    const wheel = new DeadlineWheel(time.now, time.after)
    const fired: string[] = []
    wheel.add(20, () => {
      fired.push("first")
      wheel.add(20, () => fired.push("second"))
    })
    time.advance(200)
    expect(fired).toEqual(["first", "second"])
    expect(time.pending).toBe(0)
  })

  test("entries of different lengths fire in the order of their ends", () => {
    const time = clock()
    const wheel = new DeadlineWheel(time.now, time.after)
    const fired: number[] = []
    for (const ms of [300, 100, 200, 1]) wheel.add(ms, () => fired.push(ms))
    time.advance(1000)
    expect(fired).toEqual([1, 100, 200, 300])
  })
})
