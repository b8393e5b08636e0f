import { describe, expect, it } from "vitest"
import { WAYS, world } from "./asking.ts"

const { ask } = world()

describe.each(WAYS)("a verdict's type ($name)", (way) => {
  it.each([
    '{"refuse":false}',
    '{"refuse":true}',
    '{"refuse":null}',
    '{"refuse":1}',
    '{"refuse":["x"]}',
    '{"refuse":""}',
    '{"refuse":" \\n"}',
    '{"refuse":{}}',
    '{"refuse":{"reason":"no","sure":true}}',
    '{"refuse":{"reason":true}}',
    '{"ask":true}',
    '{"ask":""}',
    '{"ask":{"question":"sure?","choices":[]}}',
    '{"advise":0}',
    '{"advise":[]}',
    '{"advise":{"text":"x","severity":"bad"}}',
  ])("is never made to fit: %s", async (text) => {
    const { frame, verdict } = await ask(way, { text })
    expect(frame.failed?.kind).toBe("bad-output")
    expect(verdict).toMatchObject({ outcome: "continue", advice: [], questions: [] })
  })

  it("is never made to fit for one key alone: the whole answer is none", async () => {
    const { frame, verdict } = await ask(way, { text: '{"advise":"careful","refuse":false}' })
    expect(frame.failed?.kind).toBe("bad-output")
    expect(verdict.advice).toEqual([])
  })

  it("refuses the operation where it does not fit and the hook is closed", async () => {
    const { verdict } = await ask(way, { text: '{"refuse":false}' }, { hook: { failure: "closed" } })
    expect(verdict).toMatchObject({ outcome: "refuse", refusal: { code: "hook_failed" } })
  })

  it("is a text's where the text is the word false", async () => {
    const { frame } = await ask(way, { text: '{"refuse":"false"}' })
    expect(frame.refuse).toEqual({ reason: "false" })
  })

  it("is not looked at where the level drops its key", async () => {
    const { frame } = await ask(way, { text: '{"advise":"careful","refuse":false}' }, { hook: { effect: "advise" } })
    expect(frame).not.toHaveProperty("failed")
    expect(frame.advise).toEqual([{ text: "careful" }])
    expect(frame.dropped).toEqual([{ key: "refuse", level: "ask", allowed: "advise", by: ["effect"] }])
  })
})
