import { describe, expect, it } from "vitest"
import { readAnswer } from "../../prompts/answer.ts"
import { answered, said, WAYS, world } from "./asking.ts"

const { ask } = world()
const NO = { reason: "no" }

/** What is taken as the one object that it holds. */
const READ: readonly [name: string, text: string][] = [
  ["a bare object", '{"refuse":"no"}'],
  ["an object in white space", '\r\n\t {"refuse":"no"}\n\n'],
  ["an object behind a byte-order mark", '\ufeff{"refuse":"no"}'],
  ["a fence with a word", '```json\n{"refuse":"no"}\n```'],
  ["a fence with CRLF and no word", '```\r\n{"refuse":"no"}\r\n```'],
  ["a fence with blank lines in it", '```json\n\n{"refuse":"no"}\n\n```\n'],
  ["a fence between words", 'Sure.\n```json\n{"refuse":"no"}\n```\nDone.'],
  ["a fence of tildes", '~~~\n{"refuse":"no"}\n~~~'],
  ["a longer fence", '````\n{"refuse":"no"}\n````'],
  ["a fence with space behind its end", '```json\n{"refuse":"no"}\n``` \t'],
  ["an object over several lines", '{\n  "refuse": "no"\n}'],
]

/** What is no one object, and so a failure, whatever could be read into it. */
const UNREAD: readonly [name: string, text: string][] = [
  ["a list in a fence", '```json\n[{"refuse":"no"}]\n```'],
  ["a list", '[{"refuse":"no"}]'],
  ["a bare word", "true"],
  ["null", "null"],
  ["a number", "0"],
  ["a text in quotes", '"{}"'],
  ["prose", "This call is fine."],
  ["prose around a bare object", 'Sure: {"refuse":"no"}'],
  ["prose behind an object", '{"refuse":"no"} Done.'],
  ["two objects", '{"advise":"a"}{"refuse":"no"}'],
  ["two objects on two lines", '{"advise":"a"}\n{"advise":"a"}'],
  ["two objects in one fence", '```json\n{"advise":"a"}\n{"refuse":"no"}\n```'],
  ["two fences", '```json\n{"advise":"a"}\n```\n```json\n{"refuse":"no"}\n```'],
  ["two fences that say the same", '```\n{"refuse":"no"}\n```\n\n```\n{"refuse":"no"}\n```'],
  ["an object before a fence", '{"advise":"a"}\n```json\n{"refuse":"no"}\n```'],
  ["an object behind a fence", '```json\n{"refuse":"no"}\n```\n{"advise":"a"}'],
  ["a brace in the words around", 'Here is {it}:\n```json\n{"refuse":"no"}\n```'],
  ["a fence in a fence", '````md\n```json\n{"refuse":"no"}\n```\n````'],
  ["a fence without an end", '```json\n{"refuse":"no"}'],
  ["a fence on one line", '```{"refuse":"no"}```'],
  ["an object that is not closed", '{"refuse":"no"'],
  ["an object with a comma too many", '{"refuse":"no",}'],
  ["a key that is written twice", '{"refuse":"a","refuse":"b"}'],
  ["a key that is written twice inside", '{"refuse":{"reason":"a","reason":"b"}}'],
  ["a key that is written twice in two spellings", '{"refuse":"a","\\u0072efuse":"b"}'],
  ["a key that names a prototype", '{"refuse":"a","__proto__":{"x":1}}'],
  ["a prototype deep inside", '{"refuse":{"reason":"a","data":[{"__proto__":null}]}}'],
  ["NaN", '{"refuse":NaN}'],
  ["a comment", '{"refuse":"no"} // really'],
]

describe.each(WAYS)("an answer in words ($name)", (way) => {
  it.each(READ)("counts as %s", async (_, text) => {
    const { frame, verdict, requests } = await ask(way, said(way, text))
    expect(frame.refuse).toEqual(NO)
    expect(verdict.outcome).toBe("refuse")
    expect(requests).toHaveLength(1)
  })

  it.each(UNREAD)("is no output: %s", async (_, text) => {
    const { frame, verdict, requests } = await ask(way, said(way, text))
    expect(frame.failed?.kind).toBe("bad-output")
    expect(frame.refuse ?? frame.advise).toBeUndefined()
    expect(verdict.outcome).toBe("continue")
    expect(requests).toHaveLength(1)
  })

  it.each(["", " \r\n\t", "\ufeff"])("that is only white space is empty: %j", async (text) => {
    const { frame, requests } = await ask(way, said(way, text))
    expect(frame.failed).toEqual({ kind: "empty", message: "the model's answer was empty" })
    expect(requests).toHaveLength(1)
  })

  it("that holds a fence inside of a text is the text's own affair", async () => {
    const reason = 'no:\n```json\n{"advise":"fine"}\n```'
    const { frame } = await ask(way, said(way, JSON.stringify({ refuse: reason })))
    expect(frame.refuse).toEqual({ reason })
  })

  it("says nothing with an empty object, and the hook has no opinion", async () => {
    const { frame, verdict } = await ask(way, said(way, "{}"))
    expect(frame).not.toHaveProperty("failed")
    expect(verdict.outcome).toBe("continue")
  })
})

describe.each(WAYS.filter(({ provider }) => provider === "anthropic"))("a tool's input ($name)", (way) => {
  it("is the answer", async () => {
    expect((await ask(way, answered({ refuse: "no" }))).frame.refuse).toEqual(NO)
  })

  it("counts beside words, and the words do not", async () => {
    const { frame } = await ask(way, { text: '{"refuse":"no"}', words: '{"advise":"fine"}' })
    expect(frame.refuse).toEqual(NO)
    expect(frame).not.toHaveProperty("advise")
  })

  it("of two is none, also where they say the same", async () => {
    for (const inputs of [
      ['{"advise":"a"}', '{"refuse":"no"}'],
      ["{}", "{}"],
    ]) {
      expect((await ask(way, { inputs })).frame.failed?.kind).toBe("bad-output")
    }
  })

  it("without a member is no opinion", async () => {
    expect((await ask(way, { text: "{}" })).frame).not.toHaveProperty("failed")
  })

  it.each([
    ["null", "null"],
    ["a list", '[{"refuse":"no"}]'],
    ["a text", '"{}"'],
    ["true", "true"],
    ["a key that is written twice", '{"refuse":"a","refuse":"b"}'],
    ["a key that is written twice inside", '{"apply":{"input":{"a":1,"a":2}}}'],
    ["a prototype", '{"refuse":"a","__proto__":{}}'],
    ["a number that no JSON holds", '{"propose":{"input":{"n":1e999}}}'],
    ["a value without an end", `{"propose":{"input":${"[".repeat(5000)}${"]".repeat(5000)}}}`],
  ])("is no output where it is %s", async (_, text) => {
    const { frame, requests } = await ask(way, { text }, { hook: { effect: "propose" } })
    expect(frame.failed?.kind).toBe("bad-output")
    expect(requests).toHaveLength(1)
  })

  it("is empty where there is neither a tool nor a word", async () => {
    expect((await ask(way, { text: null })).frame.failed?.kind).toBe("empty")
  })
})

it("several choices are several answers, and so none", async () => {
  for (const stream of [false, true]) {
    const choices = ['{"advise":"a"}', '{"refuse":"no"}']
    const { frame } = await ask({ provider: "openai", stream }, { choices })
    expect(frame.failed?.kind).toBe("bad-output")
  }
})

it("an input that is all there when its block starts is not lost", async () => {
  const block = { type: "tool_use", id: "t", name: "output", input: { refuse: "no" } }
  const events = [
    { type: "message_start", message: { usage: { input_tokens: 1, output_tokens: 1 } } },
    { type: "content_block_start", index: 0, content_block: block },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 2 } },
    { type: "message_stop" },
  ]
  const raw = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("")
  const headers = { "content-type": "text/event-stream" }
  const { frame } = await ask({ provider: "anthropic", stream: true }, { raw, headers })
  expect(frame.refuse).toEqual(NO)
  expect(frame.usage).toMatchObject({ inputTokens: 1, outputTokens: 2 })
})

describe("reading an answer", () => {
  it("says what was wrong in words of its own", () => {
    const detail = (text: string) => readAnswer({ text, stop: "end" })
    expect(detail('{"a":"twice __proto__",}')).toMatchObject({
      failed: { message: expect.stringMatching(/: no JSON$/) },
    })
    expect(detail('{"a":1,"a":2}')).toMatchObject({
      failed: { message: expect.stringMatching(/repeated or not allowed$/) },
    })
    expect(detail("hello there")).toMatchObject({ failed: { message: expect.not.stringContaining("hello") } })
  })

  it("costs no more than its length, whatever a model writes", () => {
    const began = performance.now()
    for (const line of ["~~~x\n", "```\n", "~~~ \n", "`~", "{", '{"a":', "\ufeff", " "]) {
      readAnswer({ text: `x\n${line.repeat(Math.ceil(2_000_000 / line.length))}`, stop: "end" })
    }
    expect(performance.now() - began).toBeLessThan(10_000)
  })
})
