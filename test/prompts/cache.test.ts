import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { Answers } from "../../actions/prompt/answers.ts"
import type { Reply } from "../../prompts/request.ts"
import { type Ask, answered, EVENT, said, WAYS, world } from "./asking.ts"

const w = world()
let cache: string
beforeEach(() => {
  cache = mkdtempSync(join(w.home, "cache-"))
})
afterEach(() => vi.useRealTimers())

const folder = () => join(cache, "detent/answers")
const files = () => readdirSync(folder()).map((name) => join(folder(), name))
const MINUTE = 60_000

const keeping = (ask: Ask = {}): Ask => ({
  ...ask,
  model: { cacheMs: MINUTE, ...ask.model },
  env: { XDG_CACHE_HOME: cache },
})

describe.each(WAYS)("the same request ($name)", (way) => {
  it("is answered again without being sent, costs nothing, and says so", async () => {
    w.server.answer(answered({ refuse: "no" }))
    const prices = { m: { input: 90, output: 100 } }
    const engine = await w.engineOf(way, keeping({ model: { prices } }))
    const [first, again] = [await w.fire(engine), await w.fire(engine)]
    expect(first.frame.usage).toEqual({
      provider: way.provider,
      model: "m",
      inputTokens: 100,
      outputTokens: 10,
      cost: 0.01,
    })
    expect(again.frame.refuse).toEqual({ reason: "no" })
    expect(again.frame.usage).toEqual({ ...first.frame.usage, inputTokens: 0, outputTokens: 0, cost: 0, cached: true })
    expect(w.server.received).toHaveLength(1)
  })

  it("is answered again from disk by another process", async () => {
    await w.ask(way, answered({ refuse: "no" }), keeping())
    const { frame, requests } = await w.ask(way, answered({ advise: "fine" }), keeping())
    expect(frame.refuse).toEqual({ reason: "no" })
    expect(frame.usage?.cached).toBe(true)
    expect(requests).toHaveLength(0)
    for (const file of files()) expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(folder()).mode & 0o777).toBe(0o700)
  })

  it("is sent each time where nothing is kept", async () => {
    w.server.answer(answered({}))
    const engine = await w.engineOf(way, { env: { XDG_CACHE_HOME: cache } })
    for (let at = 0; at < 3; at++) expect((await w.fire(engine)).frame.usage).not.toHaveProperty("cached")
    expect(w.server.received).toHaveLength(3)
    expect(() => files()).toThrow()
  })

  it("is sent again when its answer is too old", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 1_900_000_000_000 })
    w.server.answer(answered({}))
    const engine = await w.engineOf(way, keeping())
    const isCached = async () => (await w.fire(engine)).frame.usage?.cached ?? false
    expect(await isCached()).toBe(false)
    vi.setSystemTime(Date.now() + MINUTE - 1)
    expect(await isCached()).toBe(true)
    vi.setSystemTime(Date.now() + 1)
    expect(await isCached()).toBe(false)
    expect(await isCached()).toBe(true)
    // A clock that was set back makes an answer no younger.
    vi.setSystemTime(Date.now() - 10 * MINUTE)
    expect(await isCached()).toBe(false)
  })

  it.each([
    ["of another level", { fire: { autonomy: "advise" } }],
    ["of another hook", { hook: { id: "other" } }],
    ["to another model", { model: { name: "other" } }],
    ["with another temperature", { model: { temperature: 1 } }],
    ["with another limit of tokens", { model: { maxTokens: 5 } }],
    ["with another seed", { model: { seed: 5 } }],
    ["with another text", { hook: { prompt: "Judge it: @args" } }],
    ["with another system message", { hook: { prompt: { text: "Judge @args", system: "Be strict." } } }],
    ["with another event", { event: { ...EVENT, args: { path: "b.txt" } } }],
    ["with examples", { hook: { prompt: { text: "Judge @args", examples: [{ event: {}, output: {} }] } } }],
  ] as const)("is another one, and is sent: %s", async (_, ask) => {
    await w.ask(way, answered({}), keeping())
    expect((await w.ask(way, answered({}), keeping(ask as Ask))).requests).toHaveLength(1)
    expect((await w.ask(way, answered({}), keeping(ask as Ask))).requests).toHaveLength(0)
    expect((await w.ask(way, answered({}), keeping())).requests).toHaveLength(0)
  })

  it.each([
    ["is cut off", { text: "{}", stop: "length" }, { text: "{}", stop: "max_tokens" }],
    ["is no output", { text: "words" }, { text: "[]" }],
    ["was refused", { text: null, refusal: "no" }, { text: null, stop: "refusal" }],
    ["never came", { status: 400 }, { status: 400 }],
  ])("is sent again where its answer %s", async (_, openai, anthropic) => {
    await w.ask(way, way.provider === "openai" ? openai : anthropic, keeping())
    expect((await w.ask(way, answered({}), keeping())).requests).toHaveLength(1)
  })

  it("is sent by whoever records, and by whoever asks anew", async () => {
    await w.ask(way, answered({ advise: "old" }), keeping())
    for (const mode of ["record", "live"] as const) {
      const cassettes = { folder: join(cache, "tape"), mode }
      const { frame, requests } = await w.ask(way, answered({ advise: "new" }), keeping({ engine: { cassettes } }))
      expect(requests).toHaveLength(1)
      expect(frame.advise).toEqual([{ text: "new" }])
    }
  })

  it("has the hook's own lifetime before the policy's", async () => {
    const prompt = { text: "Judge @args", cacheMs: 0 }
    for (const count of [1, 1])
      expect((await w.ask(way, answered({}), keeping({ hook: { prompt } }))).requests).toHaveLength(count)
  })

  it("is answered from words as from an object", async () => {
    const text = '```json\n{"refuse":"no"}\n```'
    await w.ask(way, said(way, text), keeping())
    expect((await w.ask(way, answered({}), keeping())).frame.refuse).toEqual({ reason: "no" })
  })
})

describe("a file of the cache", () => {
  const spoil: readonly [string, (text: string) => string][] = [
    ["is no JSON", () => '{"key":'],
    ["is empty", () => ""],
    ["is a list", () => "[]"],
    ["is another request's", (text) => text.replace(/"key":"../, '"key":"00')],
    ["has no time", (text) => text.replace(/"at":\d+/, '"at":null')],
    ["is of the future", (text) => text.replace(/"at":\d+/, `"at":${Date.now() + 9e9}`)],
    ["has no text", (text) => text.replace('"text"', '"words"')],
    ["ends for no reason", (text) => text.replace('"stop":"end"', '"stop":"x"')],
    ["has tokens in words", (text) => text.replace('"inputTokens":100', '"inputTokens":"100"')],
  ]
  it.each(spoil)("that %s is no answer", async (_, damage) => {
    await w.ask(WAYS[0]!, answered({}), keeping())
    const [file] = files()
    const text = readFileSync(file!, "utf8")
    expect(damage(text)).not.toBe(text)
    writeFileSync(file!, damage(text))
    const { requests, frame } = await w.ask(WAYS[0]!, answered({}), keeping())
    expect(requests).toHaveLength(1)
    expect(frame).not.toHaveProperty("failed")
    expect((await w.ask(WAYS[0]!, answered({}), keeping())).requests).toHaveLength(0)
  })

  it("that is a link is not followed", async () => {
    await w.ask(WAYS[0]!, answered({}), keeping())
    const [file] = files()
    const elsewhere = join(cache, "elsewhere.json")
    writeFileSync(elsewhere, readFileSync(file!, "utf8"), { mode: 0o600 })
    rmSync(file!)
    symlinkSync(elsewhere, file!)
    expect((await w.ask(WAYS[0]!, answered({}), keeping())).requests).toHaveLength(1)
  })

  it("cannot be written where the folder is not this user's alone, and nothing fails", async () => {
    mkdirSync(join(cache, "detent"), { mode: 0o755 })
    chmodSync(join(cache, "detent"), 0o755)
    const { frame } = await w.ask(WAYS[0]!, answered({ refuse: "no" }), keeping())
    expect(frame.refuse).toEqual({ reason: "no" })
    expect((await w.ask(WAYS[0]!, answered({}), keeping())).requests).toHaveLength(1)
  })
})

describe("what is kept", () => {
  const reply: Reply = { text: "{}", stop: "end", inputTokens: 1, outputTokens: 1 }

  it("is never more than a thousand answers, on disk and in memory", () => {
    const answers = new Answers(join(cache, "detent", "answers"), () => 5)
    answers.keep("first", reply)
    utimesSync(join(folder(), "first.json"), 1, 1)
    for (let at = 0; at < 1000; at++) answers.keep(`k${at}`, reply)
    expect(readdirSync(folder())).toHaveLength(1000)
    expect(answers.find("first", 10)).toBeUndefined()
    expect(answers.find("k0", 10)).toEqual(reply)
  })

  it("by another process since is found where one's own is too old", () => {
    const at = { now: 0 }
    const one = new Answers(join(cache, "detent", "answers"), () => at.now)
    const two = new Answers(join(cache, "detent", "answers"), () => at.now)
    one.keep("k", reply)
    at.now = 100
    two.keep("k", { ...reply, text: '{"advise":"new"}' })
    expect(one.find("k", 50)?.text).toBe('{"advise":"new"}')
  })
})
