import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import fc from "fast-check"
import { beforeEach, describe, expect, it } from "vitest"
import { CassetteError, Cassettes, type Take } from "../../prompts/cassettes.ts"
import type { ModelRequest } from "../../prompts/request.ts"
import type { CassetteOptions } from "../../prompts/tape.ts"
import { type Ask, answered, HOOK, KEY, said, WAYS, world } from "./asking.ts"

const w = world()
let folder: string
beforeEach(() => {
  folder = join(mkdtempSync(join(w.home, "tapes-")), "cassettes")
})

const onTape = (mode: CassetteOptions["mode"], more: Partial<CassetteOptions> = {}, ask: Ask = {}): Ask => ({
  ...ask,
  engine: { cassettes: { folder, mode, ...more } },
})
const files = () => (existsSync(folder) ? readdirSync(folder) : [])
const textOf = (name: string) => readFileSync(join(folder, name), "utf8")
const missing = (what: string) => ({
  kind: "unavailable",
  message: `what this action needs is not available here: ${what}`,
})

describe.each(WAYS)("a recording ($name)", (way) => {
  it("plays what was recorded, without a network, a key or a model", async () => {
    const recorded = await w.ask(way, answered({ refuse: "no" }), onTape("record"))
    expect(recorded.frame).not.toHaveProperty("notes")
    const model = { name: "another" }
    const { frame, requests } = await w.ask(way, {}, onTape("replay", {}, { model, env: { MODEL_KEY: undefined } }))
    expect(frame.refuse).toEqual({ reason: "no" })
    expect(frame.notes).toEqual(["the answer is a recorded one"])
    expect(frame.usage).toEqual({ provider: way.provider, model: "m", inputTokens: 100, outputTokens: 10 })
    expect(requests).toHaveLength(0)
  })

  it("is one file that a person can read, and holds no key", async () => {
    const prompt = { text: `Judge <x>@args</x>\nwith ${KEY} and sk-proj-abcdefghij0123456789`, system: "Be\nstrict." }
    await w.ask(way, answered({ advise: `${KEY} is fine` }), onTape("record", {}, { hook: { id: "a/b c", prompt } }))
    const [name, ...more] = files()
    expect(more).toEqual([])
    expect(name).toMatch(/^a-b-c\.[0-9a-f]{16}\.yaml$/)
    const text = textOf(name!)
    expect(text).not.toContain(KEY)
    expect(text).toContain('Judge <x>{"path":"a.txt"}</x>')
    expect(text).toContain("with [secret] and [secret]")
    expect(text).toContain('{"advise":"[secret] is fine"}')
    expect(text).toMatch(/level: ask\n/)
    expect(text).toMatch(/keys:\n {2}- advise\n {2}- ask\n {2}- refuse\n/)
  })

  it.each([
    [
      "was cut off",
      { ...said(way, '{"advise":"x"}'), stop: { openai: "length", anthropic: "max_tokens" }[way.provider] },
      "truncated",
    ],
    [
      "was refused",
      { text: null, stop: { openai: "content_filter", anthropic: "refusal" }[way.provider] },
      "model-refused",
    ],
    ["is empty", said(way, ""), "empty"],
    ["is words", said(way, "words"), "bad-output"],
    ["has a key twice", { text: '{"refuse":"a","refuse":"b"}' }, "bad-output"],
    ["ends for no known reason", { text: "{}", stop: "abort" }, "model-error"],
  ])("of an answer that %s fails as it did", async (_, behaviour, kind) => {
    const recorded = await w.ask(way, behaviour, onTape("record"))
    expect(recorded.frame.failed?.kind).toBe(kind)
    const played = await w.ask(way, {}, onTape("replay"))
    expect(played.frame.failed).toEqual(recorded.frame.failed)
    expect(played.frame.usage).toEqual(recorded.frame.usage)
  })

  it("is not made of what never came", async () => {
    await w.ask(way, { status: 400 }, onTape("record"))
    expect(files()).toEqual([])
  })

  it.each([
    ["the prompt", { hook: { prompt: "Judge it: @args" } }],
    ["the event", { event: { server: "fs", tool: "write_file", args: { path: "b.txt" } } }],
    ["the level", { fire: { autonomy: "advise" } }],
    ["the system message", { hook: { prompt: { text: "Judge @args", system: "x" } } }],
  ] as const)("is missed where %s has changed, and nothing is sent", async (_, ask) => {
    await w.ask(way, answered({ refuse: "no" }), onTape("record"))
    const { frame, requests } = await w.ask(way, answered({}), onTape("replay", {}, ask as Ask))
    expect(frame.failed).toEqual(missing("no recording of this request"))
    expect(requests).toHaveLength(0)
  })

  it("that is missed refuses where the hook is closed", async () => {
    const { verdict } = await w.ask(way, answered({}), onTape("replay", {}, { hook: { failure: "closed" } }))
    expect(verdict).toMatchObject({ outcome: "refuse", refusal: { code: "hook_failed" } })
  })
})

const way = WAYS[0]!

describe("several answers to one request", () => {
  const record = (behaviours: object[], more: Partial<CassetteOptions> = {}, ask: Ask = {}) =>
    (async () => {
      const engine = await w.engineOf(way, onTape("record", more, ask))
      w.server.answer(...behaviours)
      for (const _ of behaviours) await w.fire(engine)
    })()
  const played = async (more: Partial<CassetteOptions> = {}, ask: Ask = {}) => {
    const { frame } = await w.ask(way, {}, onTape("replay", more, ask))
    return frame.advise?.[0]?.text ?? frame.failed?.message.replace(/^.*here: /, "")
  }
  const advise = (...texts: string[]) => texts.map((text) => answered({ advise: text }))

  it("of one run stand beside each other, and are played by their number", async () => {
    await record(advise("a", "b", "c"))
    expect(files()).toHaveLength(1)
    expect([await played(), await played({ sample: 1 }), await played({ sample: 2 })]).toEqual(["a", "b", "c"])
    expect(await played({ sample: 3 })).toBe("no recording of answer 4 of it")
  })

  it("of a later run take the place of those of the same model", async () => {
    await record(advise("a", "b"))
    await record(advise("c"), {}, { model: { name: "n" } })
    await record(advise("d"))
    expect(await played()).toBe("d")
    expect(await played({ sample: 1 })).toBe("no recording of answer 2 of it")
    expect(await played({}, { model: { name: "n" } })).toBe("c")
    expect(await played({ model: "n" })).toBe("c")
    expect(await played({ model: "nobody" })).toBe("no recording of `nobody`")
  })

  it("of which none is the asked model's: the first that was recorded is played", async () => {
    await record(advise("a"))
    expect(await played({}, { model: { name: "other" } })).toBe("a")
  })

  it("of two hooks with the same prompt stand in one file, and the last recording counts", async () => {
    await record(advise("old"), {}, { hook: { id: "a" } })
    await record(advise("new"), {}, { hook: { id: "b" } })
    expect(files()).toHaveLength(1)
    expect(await played({}, { hook: { id: "a" } })).toBe("new")
    expect(await played({}, { hook: { id: "b" } })).toBe("new")
  })

  it("tells of what was missed and of what was played", async () => {
    await record(advise("a"))
    const told: unknown[] = []
    await played({ onPlayed: ({ text }) => told.push(text), onMissing: (...why) => told.push(why) })
    await played({ sample: 7, onPlayed: (take) => told.push(take), onMissing: (...why) => told.push(why) })
    expect(told).toEqual(['{"advise":"a"}', ["judge", "no recording of answer 8 of it"]])
  })
})

describe("a file that is damaged", () => {
  const damage: readonly [name: string, edit: (text: string) => string, why: RegExp][] = [
    ["is no YAML", () => "key: [", /is no YAML/],
    ["has a key twice", (text) => `${text}key: x\n`, /is no YAML/],
    ["is empty", () => "", /is damaged/],
    ["is a list", () => "- a", /is damaged/],
    ["has an unknown key", (text) => `${text}more: 1\n`, /is damaged: it: /],
    ["has no answers", (text) => text.replace(/answers:[\s\S]*/, ""), /is damaged: answers: /],
    ["has an unknown end", (text) => text.replace("stop: end", "stop: maybe"), /is damaged: answers\.0\.stop: /],
    [
      "has tokens in words",
      (text) => text.replace("inputTokens: 100", "inputTokens: many"),
      /answers\.0\.inputTokens: /,
    ],
  ]

  it.each(damage)("fails and is named: it %s", async (_, edit, why) => {
    await w.ask(way, answered({ refuse: "no" }), onTape("record"))
    const [name] = files()
    writeFileSync(join(folder, name!), edit(textOf(name!)))
    const told: string[] = []
    const onMissing = (_hook: string, said: string) => void told.push(said)
    const { frame, requests } = await w.ask(way, {}, onTape("replay", { onMissing }))
    expect(frame.failed?.kind).toBe("unavailable")
    expect(frame.failed?.message).toContain(name)
    expect(frame.failed?.message).toMatch(why)
    expect(told).toHaveLength(1)
    expect(requests).toHaveLength(0)
  })

  it("is recorded anew", async () => {
    await w.ask(way, answered({ refuse: "old" }), onTape("record"))
    const [name] = files()
    writeFileSync(join(folder, name!), "key: [")
    const { frame } = await w.ask(way, answered({ refuse: "new" }), onTape("record"))
    expect(frame).not.toHaveProperty("notes")
    expect(files()).toEqual([name])
    expect((await w.ask(way, {}, onTape("replay"))).frame.refuse).toEqual({ reason: "new" })
  })

  it("is of another request where the name is the same and the key is not", async () => {
    await w.ask(way, answered({ refuse: "no" }), onTape("record"))
    const [name] = files()
    writeFileSync(join(folder, name!), textOf(name!).replace(/^key: ......../, "key: 00000000"))
    expect((await w.ask(way, {}, onTape("replay"))).frame.failed).toEqual(missing("no recording of this request"))
  })
})

describe("a folder", () => {
  it("that is not there has no recordings", () => {
    expect(new Cassettes(folder).unused()).toEqual([])
  })

  it("that cannot be written costs the recording, not the verdict", async () => {
    mkdirSync(join(folder, ".."), { recursive: true })
    writeFileSync(folder, "")
    const { frame } = await w.ask(way, answered({ refuse: "no" }), onTape("record"))
    expect(frame.refuse).toEqual({ reason: "no" })
    expect(frame.notes).toEqual([expect.stringMatching(/^the answer could not be recorded \(E[A-Z]+\)$/)])
  })

  it("knows which recordings nothing asked for", async () => {
    await w.ask(way, answered({}), onTape("record"))
    await w.ask(way, answered({}), onTape("record", {}, { hook: { prompt: "Another: @args" } }))
    const cassettes = new Cassettes(folder)
    expect(cassettes.unused()).toHaveLength(2)
    await w.ask(way, {}, { engine: { cassettes: { folder: cassettes, mode: "replay" } } })
    expect(cassettes.unused()).toHaveLength(1)
    expect(cassettes.used.size).toBe(1)
  })

  it("may hold other files", async () => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, "README.md"), "x")
    chmodSync(join(folder, "README.md"), 0)
    await w.ask(way, answered({ refuse: "no" }), onTape("record"))
    expect((await w.ask(way, {}, onTape("replay"))).frame.refuse).toEqual({ reason: "no" })
  })
})

describe("what is written", () => {
  const request: ModelRequest = { system: "s", messages: [{ role: "user", content: "c" }], schema: {}, level: "ask" }
  const take: Take = {
    provider: "openai",
    model: "m",
    text: "",
    stop: "end",
    inputTokens: 1,
    outputTokens: 2,
    durationMs: 3,
  }

  it("comes back as it was, whatever the model wrote", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(
        "\r\n",
        " ",
        "\n\n x",
        "---",
        "- a",
        "\t",
        "\0",
        "\u0085",
        "\u2028",
        "key: [",
        "#",
        "'\"",
        "x: >",
      ),
    )
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (texts) => {
        const one = { ...request, system: texts[0]! }
        const cassettes = new Cassettes(folder)
        for (const [at, said] of texts.entries()) {
          cassettes.record({ hook: "h", request: one, take: { ...take, text: said }, secrets: [] }, at === 0)
        }
        expect(new Cassettes(folder).find(one)?.map((answer) => answer.text)).toEqual(texts)
      }),
      { numRuns: 100 },
    )
  })

  it("is found by the request alone, not by who made it", () => {
    const cassettes = new Cassettes(folder)
    cassettes.record({ hook: "h", request, take, secrets: [] }, true)
    expect(cassettes.find({ ...request, messages: [...request.messages] })).toHaveLength(1)
    for (const other of [{ system: "t" }, { level: "run" as const }, { schema: { type: "object" } }]) {
      expect(cassettes.find({ ...request, ...other })).toBeUndefined()
    }
  })

  it("throws a sentence where it cannot be read", () => {
    const cassettes = new Cassettes(folder)
    const name = cassettes.record({ hook: "", request, take, secrets: [] }, true)
    expect(name).toMatch(/^hook\./)
    writeFileSync(join(folder, name), "-")
    expect(() => cassettes.find(request)).toThrow(CassetteError)
  })
})

it("a hook's steps each have a recording of their own", async () => {
  const steps = { a: { prompt: "First @args", next: [{ id: "b" }] }, b: { prompt: "Then @steps.a.output" } }
  const hook = { ...HOOK, prompt: undefined, workflow: { entry: "a", steps } }
  await w.ask(way, [answered({ advise: "one" }), answered({ refuse: "two" })], onTape("record", {}, { hook }))
  expect(files()).toHaveLength(2)
  const { frame } = await w.ask(way, {}, onTape("replay", {}, { hook }))
  expect(frame.refuse).toEqual({ reason: "two" })
  expect(files().some((name) => textOf(name).includes('Then {"advise":"one"}'))).toBe(true)
})
