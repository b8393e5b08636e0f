import { describe, expect, test } from "vitest"
import type { Frame, HookFrame } from "../../frames/frames.ts"
import { engineOf, hook, WRITE } from "./world.ts"

const observed = () => {
  const frames: Frame[] = []
  return { frames, onObserved: (frame: Frame) => void frames.push(frame) }
}

describe("observe hooks", () => {
  test("they run from the events that their prefix takes, and what they say is dropped and reported", async () => {
    const { frames, onObserved } = observed()
    const engine = engineOf(
      [hook("watch", { on: "call.", phase: "observe", effect: "off", rule: { refuse: "too late" } })],
      {},
      { onObserved },
    )
    const verdict = await engine.around("call", WRITE, () => "ok")
    await engine.close()
    expect(verdict.outcome).toBe("continue")
    expect((frames as HookFrame[]).map((frame) => frame.on)).toEqual([
      "call.started",
      "call.decided",
      "call.decided",
      "call.decided",
      "call.finished",
    ])
    expect(frames[0]).toMatchObject({ dropped: [{ key: "refuse", by: ["effect", "phase"] }] })
  })

  test("they never slow an operation", async () => {
    const engine = engineOf([
      hook("slow", { on: "*", phase: "observe", effect: "off", timeoutMs: 100, fn: () => new Promise(() => {}) }),
    ])
    const verdict = await engine.fire("call", "before", WRITE)
    expect(verdict.outcome).toBe("continue")
    expect(verdict.frames).toEqual([])
    await engine.close()
  })

  test("what an observer causes is observed by nobody", async () => {
    const seen: string[] = []
    const engine = engineOf(
      [
        hook("calls", {
          on: "call.finished",
          phase: "observe",
          effect: "off",
          fn: async (event, context) => {
            seen.push(`${String(event.server)}/${String(event.tool)}`)
            await context.call("log", "append", {})
          },
        }),
      ],
      { call: async () => "ok" },
    )
    await engine.around("call", WRITE, () => "ok")
    await engine.close()
    expect(seen).toEqual(["fs/write_file"])
  })

  test("matchers hold for observers too", async () => {
    const seen: unknown[] = []
    const watch = (id: string, tool: string) =>
      hook(id, {
        on: "call.finished",
        phase: "observe",
        effect: "off",
        when: { tool },
        fn: (event) => void seen.push([id, event.tool]),
      })
    const engine = engineOf([watch("writes", "write_file"), watch("reads", "read_file")])
    await engine.around("call", WRITE, () => "ok")
    await engine.close()
    expect(seen).toEqual([["writes", "write_file"]])
  })

  test("events that find too many waiting are counted and told, never lost in silence", async () => {
    const { frames, onObserved } = observed()
    const engine = engineOf(
      [
        hook("slow", {
          on: "hook.finished",
          phase: "observe",
          effect: "off",
          fn: () => new Promise((done) => setTimeout(done, 1)),
        }),
        hook("a", { effect: "advise", rule: { advise: "x" } }),
      ],
      {},
      { onObserved },
    )
    for (let i = 0; i < 1100; i++) await engine.fire("call", "before", WRITE)
    await engine.close()
    const ran = frames.filter((frame) => frame.type === "hook").length
    const lost = frames.flatMap((frame) => (frame.type === "log" ? [Number.parseInt(String(frame.args[0]), 10)] : []))
    expect(ran + lost.reduce((sum, n) => sum + n, 0)).toBe(1100)
  })
})
