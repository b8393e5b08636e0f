import { createServer } from "node:net"
import { describe, expect, it } from "vitest"
import { MAX_ANSWER_BYTES } from "../../prompts/providers/provider.ts"
import { answered, KEY, until, WAYS, type Way, world } from "./asking.ts"
import { type Behaviour, SAID } from "./model-server.ts"

const w = world()
/** Time for three attempts, since the waits between them are 250 and 500 ms, and for a slow machine. */
const QUICK = { hook: { timeoutMs: 1500 } }
const EVENTS = { "content-type": "text/event-stream" }

const inOurWords = (detail: string) => ({
  kind: "model-error",
  message: `the model's provider answered with an error: ${detail}`,
})

/** Nothing that the other side said, and no key, stands anywhere. */
async function askQuietly(way: Way, behaviour: Behaviour | Behaviour[], ask = QUICK) {
  const asked = await w.ask(way, behaviour, ask)
  expect(JSON.stringify(asked.verdict)).not.toContain(SAID)
  expect(JSON.stringify(asked.verdict)).not.toContain(KEY)
  expect(asked.printed).toBe("")
  return asked
}

describe.each(WAYS)("a provider that answers with an error ($name)", (way) => {
  it.each([400, 401, 402, 403, 404, 413, 422, 301, 302, 307, 308])("is asked once: %i", async (status) => {
    const headers = { location: `${w.server.origin}/elsewhere` }
    const { frame, requests } = await askQuietly(way, { status, headers })
    expect(frame.failed).toEqual(inOurWords(`the provider answered with status ${status}`))
    expect(frame).not.toHaveProperty("usage")
    expect(requests).toHaveLength(1)
  })

  it.each([500, 502, 503, 504, 529])("is asked again while there is time, and then it is over: %i", async (status) => {
    const { frame, requests } = await askQuietly(way, { status, headers: { "retry-after-ms": "1" } })
    expect(frame.failed).toEqual(inOurWords(`the provider answered with status ${status}`))
    expect(requests).toHaveLength(5)
  })

  it("for lack of patience limits the rate", async () => {
    const { frame } = await askQuietly(way, { status: 429, headers: { "retry-after-ms": "1" } })
    expect(frame.failed?.kind).toBe("rate-limited")
  })

  it("is not read where its error has no end", async () => {
    const { frame, took, requests } = await askQuietly(way, { status: 400, endless: SAID.repeat(3000) })
    expect(frame.failed).toEqual(inOurWords("the provider answered with status 400"))
    expect(took).toBeLessThan(2000)
    await until(() => requests[0]!.closed)
  })

  it("refuses the operation where the hook is closed, in the same words", async () => {
    const hook = { timeoutMs: 2000, failure: "closed" }
    const { verdict } = await askQuietly(way, { status: 401 }, { hook })
    expect(verdict.refusal).toMatchObject({ code: "hook_failed" })
  })
})

describe.each(WAYS)("what is no answer ($name)", (way) => {
  const html = way.stream ? "what the provider sent is no answer" : "what the provider sent is no JSON"
  it.each([
    ["a web page", { raw: `<html>${SAID}</html>`, headers: { "content-type": "text/html" } }, html],
    ["nothing", { raw: "" }, html],
    ["words", { raw: SAID }, html],
  ])("with status 200 is an error, asked for once: %s", async (_, behaviour, detail) => {
    const { frame, requests } = await askQuietly(way, behaviour)
    expect(frame.failed).toEqual(inOurWords(detail))
    expect(requests).toHaveLength(1)
  })

  it.each(["null", "[]", "true", `"${SAID}"`])("is JSON of another kind: %s", async (text) => {
    const raw = way.stream ? `event: message\ndata: ${text}\n\n` : text
    const { frame, requests } = await askQuietly(way, { raw, headers: way.stream ? EVENTS : {} })
    expect(frame.failed).toEqual(inOurWords("what the provider sent is no answer"))
    expect(requests).toHaveLength(1)
  })

  it.each([
    "{}",
    '{"choices":[],"content":{}}',
    '{"choices":{"0":1},"content":"x"}',
    '{"choices":[null],"content":null}',
  ])("has none of an answer's parts: %s", async (text) => {
    const raw = way.stream ? `data: ${text}\n\n` : text
    const { frame } = await askQuietly(way, { raw, headers: way.stream ? EVENTS : {} })
    expect(frame.failed?.kind).toBe("model-error")
  })

  it.each([
    ["a line", "x".repeat(60_000)],
    ["lines of space", "\n\n".repeat(30_000)],
    ["an event", `data: ${"x".repeat(60_000)}\n`],
  ])("has no end, and its connection is ended: %s", async (_, endless) => {
    const { frame, requests } = await askQuietly(way, { endless }, { hook: { timeoutMs: 1000 } })
    if (!way.stream || !endless.startsWith("\n")) {
      expect(frame.failed).toEqual(inOurWords(`the provider sent more than ${MAX_ANSWER_BYTES} bytes`))
    } else expect(frame.failed?.kind).toBe("timeout")
    expect(requests).toHaveLength(1)
    await until(() => requests[0]!.closed)
  })
})

describe.each(WAYS)("a connection ($name)", (way) => {
  it("that is cut is made again, and the answer counts", async () => {
    const { frame, requests } = await askQuietly(way, [
      { text: '{"advise":"a longer text"}', cut: true },
      answered({ refuse: "no" }),
    ])
    expect(frame.refuse).toEqual({ reason: "no" })
    expect(requests).toHaveLength(2)
  })

  it("that is always cut is an error, and half of an answer is none", async () => {
    const { frame } = await askQuietly(way, { text: '{"advise":"a longer text"}', cut: true })
    const detail = way.stream ? "the connection to the provider was lost" : "the provider could not be reached"
    expect(frame.failed).toEqual(inOurWords(detail))
    expect(frame).not.toHaveProperty("advise")
  })

  it("that nobody takes is an error", async () => {
    const port = await new Promise<number>((resolve) => {
      const server = createServer().listen(0, "127.0.0.1", () => {
        const { port } = server.address() as { port: number }
        server.close(() => resolve(port))
      })
    })
    const { frame } = await askQuietly(way, {}, {
      hook: { timeoutMs: 1500 },
      model: { baseUrl: `http://127.0.0.1:${port}` },
    } as never)
    expect(frame.failed).toEqual(inOurWords("the provider could not be reached"))
  })

  it("to what is no address is an error", async () => {
    const { frame } = await askQuietly(way, {}, {
      hook: { timeoutMs: 1500 },
      model: { baseUrl: "http://127.0.0.1:99999" },
    } as never)
    expect(frame.failed).toEqual(inOurWords("the provider could not be reached"))
  })
})

describe.each(WAYS.filter(({ stream }) => stream))("a stream ($name)", (way) => {
  const stream = (raw: string) => ({ raw, headers: EVENTS })
  const text = '{"refuse":"no"}'
  const whole =
    way.provider === "openai"
      ? [
          `{"choices":[{"index":0,"delta":{"content":${JSON.stringify(text)}}}]}`,
          '{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}',
        ]
      : [
          '{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","input":{}}}',
          `{"type":"content_block_delta","index":0,"delta":{"partial_json":${JSON.stringify(text)}}}`,
          '{"type":"message_delta","delta":{"stop_reason":"tool_use"}}',
        ]

  it("that ends before its answer is asked for again, and half an answer is none", async () => {
    const { frame, requests } = await askQuietly(way, stream(`data: ${whole[0]}\n\n`))
    expect(frame.failed).toEqual(inOurWords("the provider's stream ended before the answer did"))
    expect(requests.length).toBeGreaterThan(1)
  })

  it.each([
    ["with LF", whole.map((data) => `data: ${data}\n\n`).join("")],
    ["with CRLF", whole.map((data) => `data: ${data}\r\n\r\n`).join("")],
    ["with CR", whole.map((data) => `data: ${data}\r\r`).join("")],
    ["without a space behind the colon", whole.map((data) => `data:${data}\n\n`).join("")],
    [
      "with comments, names and ids between",
      whole.map((data) => `: hi\n\nevent: x\nid: 1\nretry: 5\ndata: ${data}\n\n`).join(""),
    ],
    ["without an empty line at its end", whole.map((data) => `data: ${data}`).join("\n\n")],
    ["with data over two lines", whole.map((data) => `data: ${data.slice(0, 1)}\ndata: ${data.slice(1)}\n\n`).join("")],
    ["with a mark at its start", `\ufeff${whole.map((data) => `data: ${data}\n\n`).join("")}`],
    [
      "with an end that is said twice",
      `${whole.map((data) => `data: ${data}\n\n`).join("")}data: [DONE]\n\ndata: [DONE]\n\n`,
    ],
  ])("is read %s", async (_, raw) => {
    expect((await askQuietly(way, stream(raw))).frame.refuse).toEqual({ reason: "no" })
  })

  it.each([
    ["that is no JSON", `data: {"${SAID}\n\n`],
    ["with a key that is written twice", `data: {"choices":[],"choices":[]}\n\n`],
  ])("with an event %s is an error, asked for once", async (_, raw) => {
    const { frame, requests } = await askQuietly(way, stream(raw))
    expect(frame.failed).toEqual(inOurWords("what the provider sent is no JSON"))
    expect(requests).toHaveLength(1)
  })

  it("that tells of an error is asked for again", async () => {
    const raw = `event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"${SAID}"}}\n\n`
    const { frame } = await askQuietly(way, [stream(raw), answered({ refuse: "no" })])
    expect(frame.refuse).toEqual({ reason: "no" })
    const always = await askQuietly(way, stream(raw))
    expect(always.frame.failed).toEqual(inOurWords("the provider broke its answer off with an error"))
  })

  it("whose answer grows beyond any measure is ended", async () => {
    const piece = JSON.stringify("x".repeat(100_000))
    const grow =
      way.provider === "openai"
        ? `{"choices":[{"index":0,"delta":{"content":${piece}}}]}`
        : `{"type":"content_block_delta","index":0,"delta":{"partial_json":${piece}}}`
    const raw = [whole[0], ...Array(60).fill(grow)].map((data) => `data: ${data}\n\n`).join("")
    const { frame } = await askQuietly(way, stream(raw))
    expect(frame.failed).toEqual(inOurWords(`the provider sent more than ${MAX_ANSWER_BYTES} bytes`))
  })
})

describe.each(WAYS)("tokens ($name)", (way) => {
  it("are those that the provider told", async () => {
    const { frame } = await w.ask(way, answered({}))
    expect(frame.usage).toEqual({ provider: way.provider, model: "m", inputTokens: 100, outputTokens: 10 })
  })

  it("are none where it told none", async () => {
    const { frame } = await w.ask(way, { usage: false })
    expect(frame.usage).toMatchObject({ inputTokens: 0, outputTokens: 0 })
    expect(frame).not.toHaveProperty("failed")
  })
})
