import { describe, expect, it } from "vitest"
import { WITHHELD } from "../../../dialects/conduit/chains.ts"
import type { ClientHooks, PostToolCall, ToolCallFailed } from "../../../dialects/conduit/types.ts"
import { OperationError } from "../../../engine/errors.ts"
import { called, framesOf, never, text } from "./world.ts"

const post = (fn: unknown, more: object = {}): ClientHooks => ({
  post_tool_call: [["all", fn as PostToolCall, { id: "redact", timeout: 100, ...more }]],
})
const failed = (fn: unknown, more: object = {}): ClientHooks => ({
  tool_call_failed: [["all", fn as ToolCallFailed, { id: "alert", timeout: 100, ...more }]],
})

const secret = () => text("SECRET")
const broken = () => {
  throw new OperationError({ code: "protocol", message: "no such tool", data: { code: -32602 } })
}
const thrown = { code: "protocol", message: "no such tool", data: { code: -32602 } }

const FAILING: readonly [string, () => unknown, string][] = [
  ["throws", () => Promise.reject(new Error("SECRET")), "raise"],
  ["never answers", never, "timeout"],
  ["gives back nothing", () => undefined, "bad_return"],
  ["denies", () => ({ deny: "no" }), "bad_return"],
  ["halts", () => ({ halt: text("x") }), "bad_return"],
  ["allows", () => "allow", "bad_return"],
]

describe("a hook after a call", () => {
  it("may rewrite the result, and no frame keeps the one before", async () => {
    const { verdict } = await called(
      post(() => ({ cont: text("***") })),
      { answer: secret },
    )
    expect(verdict.result).toEqual(text("***"))
    expect(framesOf(verdict)[0]).toMatchObject({ changed: true, original: { sha256: expect.any(String) } })
    expect(JSON.stringify(verdict)).not.toContain("SECRET")
  })

  it("sees the call as it was sent, with the id that hooks before it saw, and results with isError", async () => {
    const seen: unknown[] = []
    await called(
      {
        pre_tool_call: [
          [
            "all",
            (call) => {
              seen.push(call.id)
              return { cont: { ...call, args: { path: "b" } } }
            },
          ],
        ],
        ...post((call: { id: string; args: unknown }, result: unknown) => {
          seen.push(call.id, call.args, result)
          return "cont"
        }),
      },
      { answer: () => ({ ...text("no"), isError: true }) },
    )
    expect(seen).toEqual([seen[0], seen[0], { path: "b" }, { ...text("no"), isError: true }])
  })

  it.each(FAILING)("that %s withholds the result: a fixed text with isError stands in its place", async (_, fn) => {
    const { verdict } = await called(post(fn), { answer: secret })
    expect(verdict.outcome).toBe("continue")
    expect(verdict.result).toEqual({ content: [{ type: "text", text: WITHHELD }], isError: true })
    expect(JSON.stringify(verdict)).not.toContain("SECRET")
  })

  it.each(FAILING)("that %s is skipped with on_error: ignore, and a frame says so", async (_, fn, failure) => {
    const { verdict } = await called(post(fn, { on_error: "ignore" }))
    expect(verdict.result).toEqual(text("hello"))
    expect(framesOf(verdict)[0]?.advise).toEqual([
      { text: expect.stringContaining("`redact`"), severity: "warning", data: { hook: "redact", failure } },
    ])
  })

  it("that fails where results may not be replaced withholds it all the same, by a refusal", async () => {
    const { verdict } = await called(
      post(() => undefined),
      { answer: secret, settings: { "autonomy.max": "ask" } },
    )
    expect(verdict).toMatchObject({ outcome: "refuse", error: { message: WITHHELD } })
    expect(JSON.stringify(verdict)).not.toContain("SECRET")
  })

  it("goes on from a skipped one with what was there before it", async () => {
    const { verdict } = await called({
      post_tool_call: [
        ["all", (_, { content }) => ({ cont: { content: [...(content as []), 3] } })],
        ["all", () => undefined as never, { on_error: "ignore" }],
        ["all", (_, { content }) => ({ cont: { content: [...(content as []), 1] } })],
      ],
    })
    expect(verdict.result).toEqual({ content: [...text("hello").content, 1, 3] })
  })

  it("is not run where the call failed", async () => {
    let ran = false
    const { verdict } = await called(
      post(() => {
        ran = true
        return "cont"
      }),
      { answer: broken },
    )
    expect(verdict.error).toEqual(thrown)
    expect(ran).toBe(false)
  })
})

describe("a hook of a call that failed", () => {
  const errorSeen = async (more: Parameters<typeof called>[1], hooks: ClientHooks = {}) => {
    let seen: unknown
    await called(
      {
        ...hooks,
        ...failed((_: unknown, error: unknown) => {
          seen = error
          return "cont"
        }),
      },
      more,
    )
    return seen
  }

  it("is told what the operation failed with", async () => {
    expect(await errorSeen({ answer: broken })).toEqual({
      kind: "protocol",
      message: "no such tool",
      data: { code: -32602 },
    })
    const lost = () => {
      throw new OperationError({ code: "unavailable", message: "gone" })
    }
    expect(await errorSeen({ answer: lost })).toEqual({ kind: "transport", message: "gone" })
  })

  it("is told who denied, and which hook failed how", async () => {
    const deny: ClientHooks = { pre_tool_call: [["all", () => ({ deny: [1] }), { id: "guard" }]] }
    expect(await errorSeen({}, deny)).toEqual({
      kind: "denied",
      message: "denied by the hook `guard`",
      reason: "hook_denied",
      hook: "guard",
      data: [1],
    })
    const fail: ClientHooks = { pre_tool_call: [["all", () => undefined as never, { id: "guard" }]] }
    expect(await errorSeen({}, fail)).toEqual({
      kind: "hook",
      message: "the hook `guard` failed: it gave back what its event does not take",
      reason: "hook_failed",
      hook: "guard",
      failure: "bad_return",
    })
  })

  it("may recover: its result stands in the error's place, and the chain ends", async () => {
    let ran = false
    const { verdict } = await called(
      {
        tool_call_failed: [
          [
            "all",
            () => {
              ran = true
              return "cont"
            },
          ],
          ["fs/read_file", () => ({ recover: text("recovered") })],
        ],
      },
      { answer: broken },
    )
    expect(verdict.result).toEqual(text("recovered"))
    expect(verdict.error).toBeUndefined()
    expect(ran).toBe(false)
  })

  it("that recovers a denied call changes what is shown, not that it was refused, and nothing is sent", async () => {
    const { verdict, sent } = await called({
      pre_tool_call: [["all", () => ({ deny: "no" })]],
      ...failed(() => ({ recover: text("instead") })),
    })
    expect(verdict).toMatchObject({ outcome: "refuse", result: text("instead") })
    expect(sent).toEqual([])
  })

  it.each([...FAILING, ["gives another error", () => ({ cont: { message: "x" } }), "bad_return"] as const])(
    "that %s leaves the error as it was, and a frame says so",
    async (_, fn, failure) => {
      const { verdict } = await called(failed(fn), { answer: broken })
      expect(verdict.error).toEqual(thrown)
      expect(framesOf(verdict)[0]?.advise).toMatchObject([{ data: { hook: "alert", failure } }])
      expect(JSON.stringify(verdict)).not.toContain("SECRET")
    },
  )

  it("that fails ends the chain, unless its failures are ignored", async () => {
    const chain = (more: object) =>
      called(
        {
          tool_call_failed: [
            ["all", () => ({ recover: text("recovered") })],
            ["fs/*", () => undefined as never, more],
          ],
        },
        { answer: broken },
      )
    expect((await chain({})).verdict.error).toEqual(thrown)
    expect((await chain({ on_error: "ignore" })).verdict.result).toEqual(text("recovered"))
  })
})
