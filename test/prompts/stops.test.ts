import { describe, expect, it } from "vitest"
import { CUT_OFF, said, WAYS, world } from "./asking.ts"

const { ask } = world()
const TRUNCATED = { kind: "truncated", message: "the model's answer was cut off at its limit" }
const UNKNOWN = {
  kind: "model-error",
  message: "the model's provider answered with an error: nothing says that the answer is whole",
}

describe.each(WAYS)("an answer that reached the limit of tokens ($name)", (way) => {
  const stop = CUT_OFF[way.provider]

  it.each([
    ["in the middle of its text", '{"advise":"fine","refuse":"because the p'],
    ["though it can be read", '{"advise":"fine"}'],
    ["though it would refuse", '{"refuse":"no"}'],
    ["with nothing", ""],
  ])("counts for nothing: %s", async (_, text) => {
    const { frame, verdict, requests } = await ask(way, { ...said(way, text), stop })
    expect(frame.failed).toEqual(TRUNCATED)
    expect(frame).not.toHaveProperty("advise")
    expect(verdict.outcome).toBe("continue")
    expect(requests).toHaveLength(1)
    expect(JSON.stringify(verdict)).not.toContain("because")
  })

  it("counts for nothing without a text at all", async () => {
    expect((await ask(way, { text: null, stop })).frame.failed).toEqual(TRUNCATED)
  })

  it("refuses where the hook is closed, and names the limit", async () => {
    const { frame } = await ask(way, { text: '{"advise":"fine"}', stop }, { hook: { failure: "closed" } })
    expect(frame.refuse).toEqual({ reason: `the hook \`judge\` failed: ${TRUNCATED.message}`, code: "hook_failed" })
  })

  it("has used what it used", async () => {
    const { frame } = await ask(way, { text: "{}", stop })
    expect(frame.usage).toMatchObject({ inputTokens: 100, outputTokens: 10 })
  })
})

describe.each(WAYS)("an answer's end ($name)", (way) => {
  const ends = {
    openai: ["stop", "tool_calls", "function_call", "eos", "eos_token", "stop_sequence"],
    anthropic: ["tool_use", "end_turn", "stop_sequence"],
  }[way.provider]
  it.each(ends)("is its own where the reason is %s", async (stop) => {
    expect((await ask(way, { text: '{"refuse":"no"}', stop })).frame.refuse).toEqual({ reason: "no" })
  })

  const limits = {
    openai: ["length", "model_length", "max_tokens"],
    anthropic: ["max_tokens", "model_context_window_exceeded"],
  }[way.provider]
  it.each(limits)("is the limit's where the reason is %s", async (stop) => {
    expect((await ask(way, { text: '{"refuse":"no"}', stop })).frame.failed).toEqual(TRUNCATED)
  })

  it.each(["abort", "pause_turn", "Stop", "", "constructor", "insufficient_system_resource"])(
    "is not known to be one where the reason is %j",
    async (stop) => {
      const { frame, requests } = await ask(way, { text: '{"advise":"fine"}', stop })
      expect(frame.failed).toEqual(UNKNOWN)
      expect(frame.usage).toMatchObject({ inputTokens: 100 })
      expect(requests).toHaveLength(1)
    },
  )

  it("is not known where no reason is given", async () => {
    const { frame } = await ask(way, { text: '{"advise":"fine"}', stop: null }, { hook: { timeoutMs: 400 } })
    expect(frame.failed?.kind).toBe("model-error")
    expect(frame).not.toHaveProperty("advise")
  })
})

describe.each(WAYS)("a model that refuses to answer ($name)", (way) => {
  const refusals = {
    openai: [
      { text: null, refusal: "I would rather not" },
      { text: '{"advise":"fine"}', refusal: "I would rather not" },
      { text: null, stop: "content_filter" },
      { text: '{"advise":"fine"}', stop: "content_filter" },
    ],
    anthropic: [
      { text: null, words: "I would rather not", stop: "refusal" },
      { text: '{"advise":"fine"}', stop: "refusal" },
    ],
  }[way.provider]

  it.each(refusals)("has refused, and what it said stands nowhere: %j", async (behaviour) => {
    const { frame, verdict, printed, requests } = await ask(way, behaviour)
    expect(frame.failed).toEqual({ kind: "model-refused", message: "the model refused to answer" })
    expect(JSON.stringify(verdict)).not.toMatch(/rather|fine/)
    expect(printed).toBe("")
    expect(requests).toHaveLength(1)
  })

  it("has no say over the operation, unless the hook is closed", async () => {
    expect((await ask(way, refusals[0]!)).verdict.outcome).toBe("continue")
    expect((await ask(way, refusals[0]!, { hook: { failure: "closed" } })).verdict.outcome).toBe("refuse")
  })
})
