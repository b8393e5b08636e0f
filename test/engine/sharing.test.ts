import { describe, expect, it } from "vitest"
import type { JsonObject } from "../../effects/json.ts"
import type { HookFrame } from "../../frames/frames.ts"
import { engineOf, hook } from "./world.ts"

describe("what a rule says", () => {
  it("is not changed by an operation that changes its input", async () => {
    const rule = { apply: { merge: { list: [1] } } }
    const engine = engineOf([hook("merges", { rule })])
    const operation = (input: unknown) => (input as { list: number[] }).list.push(2)
    for (const _ of [1, 2]) {
      const sent: unknown[] = []
      await engine.around("call", { server: "fs", tool: "write", args: {} }, (input) => {
        sent.push(structuredClone(input))
        return operation(input)
      })
      expect(sent).toEqual([{ list: [1] }])
    }
    expect(rule).toEqual({ apply: { merge: { list: [1] } } })
  })

  it("is not changed by whoever reads a frame of it", async () => {
    const engine = engineOf([hook("advises", { rule: { advise: { text: "careful", data: { seen: 0 } } } })])
    const adviceIn = async () => {
      const verdict = await engine.fire("call", "before", { server: "fs", tool: "write", args: {} })
      return (verdict.frames[0] as HookFrame).advise![0]!
    }
    const first = await adviceIn()
    expect(() => Object.assign(first.data as JsonObject, { seen: 1 })).toThrow(TypeError)
    expect(await adviceIn()).toEqual({ text: "careful", data: { seen: 0 } })
  })

  it("is not changed, nor frozen, in the policy of whoever made the engine", async () => {
    const rule = { advise: { text: "careful", data: { seen: 0 } } }
    const engine = engineOf([hook("advises", { rule })])
    await engine.fire("call", "before", { server: "fs", tool: "write", args: {} })
    rule.advise.data.seen = 1
    const verdict = await engine.fire("call", "before", { server: "fs", tool: "write", args: {} })
    expect(verdict.advice).toEqual([{ hook: "advises", text: "careful", data: { seen: 0 } }])
  })
})

describe("a hook's time", () => {
  it("is its own, not that of the slowest of its group", async () => {
    let now = 0
    const slow = async () => {
      await new Promise((resolve) => setImmediate(resolve))
      now = 100
    }
    const hooks = [
      hook("quick", { effect: "advise", fn: async () => {} }),
      hook("slow", { effect: "advise", fn: slow }),
    ]
    const { frames } = await engineOf(hooks, { now: () => now }).fire("call", "before", { server: "fs", tool: "write" })
    expect((frames as HookFrame[]).map(({ hook, durationMs }) => [hook, durationMs])).toEqual([
      ["quick", 0],
      ["slow", 100],
    ])
  })
})
