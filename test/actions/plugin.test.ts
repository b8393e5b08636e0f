import { describe, expect, it } from "vitest"
import { plugin } from "../../actions/plugin.ts"
import { OperationError } from "../../engine/errors.ts"
import { context } from "./hooks.ts"

const EVENT = { on: "call", phase: "before", server: "fs", tool: "write", args: { path: "a" } }

/** Runs a plugin whose call comes to this. */
const run = (call: () => unknown) =>
  plugin.run({ kind: "plugin", target: "judge/look/closely" }, EVENT, { ...context(), call: async () => call() })

describe("a plugin", () => {
  it("is called with the event as its arguments; the tool's name is all after the first slash", async () => {
    const calls: unknown[] = []
    const call = async (...args: unknown[]) => calls.push(args)
    await plugin.run({ kind: "plugin", target: "judge/look/closely" }, EVENT, { ...context(), call })
    expect(calls).toEqual([["judge", "look/closely", EVENT]])
  })

  it("answers with its structured content; nothing at all is no opinion, and words alone are none that counts", async () => {
    expect(await run(() => ({ content: [], structuredContent: { refuse: "no" } }))).toEqual({
      output: { refuse: "no" },
    })
    expect(await run(() => ({ content: [] }))).toEqual({ output: {} })
    const words = { content: [{ type: "text", text: '{"refuse":"no"}' }] }
    expect(await run(() => words)).toMatchObject({ failed: { kind: "bad-output" } })
  })

  it("that says it failed, is refused, or answers garbage is a failed hook; its words stay outside", async () => {
    const isError = { content: [{ type: "text", text: "SECRET" }], isError: true }
    expect(await run(() => isError)).toMatchObject({ failed: { kind: "throw" } })
    expect(await run(() => "text")).toMatchObject({ failed: { kind: "bad-output" } })
    const refused = await run(() => {
      throw new OperationError({ code: "refused", message: "SECRET" })
    })
    expect(refused).toMatchObject({ failed: { kind: "unavailable" } })
    expect(JSON.stringify(refused)).toContain("came to `refused`")
    expect(JSON.stringify(refused)).not.toContain("SECRET")
  })
})
