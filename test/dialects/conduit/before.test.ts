import { describe, expect, it } from "vitest"
import type { ClientHooks, PreToolCall, ToolCall } from "../../../dialects/conduit/types.ts"
import { called, engineWith, framesOf, never, policyOf, text } from "./world.ts"

const pre = (fn: unknown, more: object = {}): ClientHooks => ({
  pre_tool_call: [["all", fn as PreToolCall, { id: "guard", timeout: 200, ...more }]],
})

describe("a hook before a call", () => {
  it("is given the call and where it stands", async () => {
    const seen: unknown[] = []
    await called(
      pre((call: unknown, context: unknown) => {
        seen.push(call, context)
        return "cont"
      }),
      { event: { server: "fs", tool: "read_file", args: { path: "a" }, meta: { trace: 1 }, caller: { id: "ana" } } },
    )
    expect(seen).toEqual([
      { id: expect.any(String), server: "fs", tool: "read_file", args: { path: "a" }, meta: { trace: 1 } },
      { server: "fs", assigns: {}, principal: { id: "ana" }, signal: expect.any(AbortSignal) },
    ])
  })

  it("that says cont lets the call go on as it was", async () => {
    const { verdict, sent } = await called(pre(() => "cont"))
    expect(sent).toEqual([{ path: "a.txt" }])
    expect(verdict).toMatchObject({ outcome: "continue", result: text("hello") })
    expect(framesOf(verdict)[0]).toMatchObject({ hook: "pre_tool_call", action: "function", changed: false })
  })

  it("may rewrite the arguments and the meta, and the call's digest is of what was sent", async () => {
    const rewrite = (call: ToolCall) => ({ cont: { ...call, args: { path: "b.txt" }, meta: { by: "hook" } } })
    const { verdict, sent } = await called(pre(rewrite))
    const plain = await called({}, { event: { server: "fs", tool: "read_file", args: { path: "b.txt" } } })
    expect(sent).toEqual([{ path: "b.txt" }])
    expect(framesOf(verdict)[0]).toMatchObject({ changed: true, original: { path: "a.txt" } })
    const digest = ({ frames }: typeof verdict) => frames.flatMap((one) => (one.type === "call" ? [one.argsHash] : []))
    expect(digest(verdict)).toEqual(digest(plain.verdict))
  })

  it("may be written with pairs, as with objects", async () => {
    const { sent } = await called(pre((call: ToolCall) => ["cont", { ...call, args: { path: "c.txt" } }]))
    expect(sent).toEqual([{ path: "c.txt" }])
  })

  it("that changes what it was given, and says cont, changes nothing", async () => {
    const { sent } = await called(
      pre((call: ToolCall) => {
        call.args.path = "sneaky"
        return "cont"
      }),
    )
    expect(sent).toEqual([{ path: "a.txt" }])
  })

  it("that denies fails the call with its reason, and nothing is sent", async () => {
    const { verdict, sent } = await called(pre(() => ({ deny: "not today" })))
    expect(sent).toEqual([])
    expect(verdict.outcome).toBe("refuse")
    expect(verdict.error).toMatchObject({
      code: "refused",
      message: "not today",
      cause: "hook_denied",
      data: { hook: "guard", reason: "not today" },
    })
  })

  it("may deny with any value", async () => {
    const { verdict } = await called(pre(() => ({ deny: { code: 7 } })))
    expect(verdict.error).toMatchObject({
      message: "denied by the hook `guard`",
      data: { hook: "guard", reason: { code: 7 } },
    })
  })

  it("that halts answers the call, nothing is sent, and hooks after the call run", async () => {
    const { verdict, sent } = await called({
      ...pre(() => ({ halt: text("cached") })),
      post_tool_call: [["all", (_, { content }) => ({ cont: { content: [...(content as []), "seen"] } })]],
    })
    expect(sent).toEqual([])
    expect(verdict).toMatchObject({ outcome: "answer", result: { content: [...text("cached").content, "seen"] } })
  })

  it("that denies or halts ends the chain", async () => {
    for (const end of [{ deny: "no" }, { halt: text("x") }]) {
      let ran = false
      await called({
        pre_tool_call: [
          ["all", () => end as never],
          [
            "all",
            () => {
              ran = true
              return "cont"
            },
          ],
        ],
      })
      expect(ran).toBe(false)
    }
  })

  it("that was ended by one that denies leaves the policy's own refusal standing first", async () => {
    const policy = policyOf(`
hooks:
  - id: mark
    on: call
    phase: before
    when: { if: { in: ["MARK-7", { var: args.command }] } }
    rule: { refuse: "marked" }
    effect: ask`)
    const event = { server: "sh", tool: "bash", args: { command: "printf MARK-7" } }
    const { verdict, sent } = await called(
      pre(() => ({ deny: "sure?" })),
      { policy, event },
    )
    expect(sent).toEqual([])
    expect(verdict.refusal).toMatchObject({ hook: "mark", reason: "marked" })
  })

  it("that rewrites is looked at again by the policy, on the final arguments, and runs once itself", async () => {
    const policy = policyOf(`
hooks:
  - id: no-env
    on: call
    phase: before
    when: { args: { path: "**.env" } }
    rule: { refuse: "no secrets" }
    effect: ask`)
    let runs = 0
    const { verdict, sent } = await called(
      pre((call: ToolCall) => {
        runs++
        return { cont: { ...call, args: { path: ".env" } } }
      }),
      { policy },
    )
    expect(sent).toEqual([])
    expect(verdict.refusal).toMatchObject({ hook: "no-env" })
    expect(runs).toBe(1)
  })
})

describe("a failing hook before a call", () => {
  const instance = new (class Reply {
    cont = {}
  })()
  const failing: readonly [name: string, fn: unknown, failure: string][] = [
    ["throws", () => Promise.reject(new Error("SECRET")), "raise"],
    [
      "throws at once",
      () => {
        throw new Error("SECRET")
      },
      "raise",
    ],
    ["never answers", never, "timeout"],
    ["answers late", () => new Promise((resolve) => setTimeout(resolve, 400, "cont")), "timeout"],
    [
      "holds up the process past its time",
      () => {
        const end = Date.now() + 250
        while (Date.now() < end);
        return "cont"
      },
      "timeout",
    ],
    ["gives back nothing", () => undefined, "bad_return"],
    ["gives back null", () => null, "bad_return"],
    ["allows", () => "allow", "bad_return"],
    ["allows with a value", () => ({ allow: true }), "bad_return"],
    ["says true", () => true, "bad_return"],
    ['says "false"', () => "false", "bad_return"],
    ["says no verb", () => ({}), "bad_return"],
    ["says two verbs", (call: ToolCall) => ({ cont: call, deny: "x" }), "bad_return"],
    ["denies without a reason", () => "deny", "bad_return"],
    ["denies with what JSON cannot carry", () => ({ deny: () => {} }), "bad_return"],
    ["recovers", () => ({ recover: text("x") }), "bad_return"],
    ["gives back an instance", () => instance, "bad_return"],
    ["renames the tool", (call: ToolCall) => ({ cont: { ...call, tool: "rm" } }), "bad_return"],
    ["renames the server", (call: ToolCall) => ({ cont: { ...call, server: "x" } }), "bad_return"],
    ["gives the call another id", (call: ToolCall) => ({ cont: { ...call, id: "x" } }), "bad_return"],
    ["adds what a call has not", (call: ToolCall) => ({ cont: { ...call, allow: true } }), "bad_return"],
    ["leaves the arguments out", ({ args: _, ...call }: ToolCall) => ({ cont: call }), "bad_return"],
    ["makes a list of the arguments", (call: ToolCall) => ({ cont: { ...call, args: [] } }), "bad_return"],
    ["makes a text of the meta", (call: ToolCall) => ({ cont: { ...call, meta: "x" } }), "bad_return"],
    [
      "throws when its answer is read",
      () => ({
        get cont() {
          throw new Error("SECRET")
        },
      }),
      "bad_return",
    ],
  ]

  it.each(failing)("that %s fails the call, and nothing is sent", async (_, fn, failure) => {
    const { verdict, sent } = await called(pre(fn))
    expect(sent).toEqual([])
    expect(verdict.outcome).toBe("refuse")
    expect(verdict.error).toMatchObject({
      code: "refused",
      cause: "hook_failed",
      data: { hook: "guard", failure },
    })
    expect(JSON.stringify(verdict)).not.toContain("SECRET")
  })

  it("that drops a required argument fails the call: the whole of it is the new input (g12)", async () => {
    const inputSchema = { type: "object", properties: { command: { type: "string" } }, required: ["command"] }
    const event = { server: "sh", tool: "bash", args: { command: "make all", description: "d" } }
    const { verdict, sent } = await called(
      pre((call: ToolCall) => ({ cont: { ...call, args: { no_sandbox: true } } })),
      { event, tools: { "sh/bash": { inputSchema } } },
    )
    expect(sent).toEqual([])
    expect(verdict.error).toMatchObject({ data: { hook: "guard", failure: "bad_return" } })
  })

  it("gives eight calls at once eight failures, and late answers change nothing (g06)", async () => {
    const engine = await engineWith(pre(() => new Promise((resolve) => setTimeout(resolve, 500, "cont"))))
    const sent: unknown[] = []
    const verdicts = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        engine.around("call", { server: "fs", tool: "write", args: { n } }, (args) => sent.push(args)),
      ),
    )
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(sent).toEqual([])
    for (const { error } of verdicts) expect(error).toMatchObject({ data: { hook: "guard", failure: "timeout" } })
  })

  it("has its signal aborted when its time is up", async () => {
    let signal: AbortSignal | undefined
    await called(
      pre((_: unknown, context: { signal: AbortSignal }) => {
        signal = context.signal
        return never()
      }),
    )
    expect(signal?.aborted).toBe(true)
  })

  it("is ended with a call that is cancelled, and nothing is sent", async () => {
    const engine = await engineWith(pre(never, { timeout: 60_000 }))
    const cancel = new AbortController()
    const pending = engine.around("call", { server: "fs", tool: "x" }, () => "sent", { signal: cancel.signal })
    cancel.abort()
    const { outcome, error } = await pending
    expect([outcome, error?.message]).toEqual(["refuse", expect.stringContaining("cancelled")])
  })
})

describe("the dial", () => {
  it("lowers what hooks may do: below apply a rewrite is dropped, and that is told", async () => {
    const { verdict, sent } = await called(
      pre((call: ToolCall) => ({ cont: { ...call, args: { path: "b" } } })),
      { settings: { "autonomy.max": "ask" } },
    )
    expect(sent).toEqual([{ path: "a.txt" }])
    expect(framesOf(verdict)[0]).toMatchObject({
      effect: "ask",
      requested: "apply",
      dropped: [{ key: "apply", by: ["daemon"] }],
    })
  })

  it("leaves a denial and a failure standing at ask", async () => {
    for (const fn of [() => ({ deny: "no" }), () => undefined]) {
      const { verdict, sent } = await called(pre(fn), { settings: { "autonomy.max": "ask" } })
      expect([verdict.outcome, sent]).toEqual(["refuse", []])
    }
  })
})
