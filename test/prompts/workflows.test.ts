import { describe, expect, it } from "vitest"
import type { HookFrame } from "../../frames/frames.ts"
import { type Ask, answered, EVENT, until, WAYS, world } from "./asking.ts"

const w = world()

const workflow = (steps: object, more: object = {}): Ask => ({
  hook: { prompt: undefined, workflow: { entry: "a", steps }, ...more },
})
const user = (at: number) => w.server.received[at]!.body.messages.at(-1).content

describe.each(WAYS)("a workflow that asks a model ($name)", (way) => {
  it("shows a step what came of the steps before, as JSON", async () => {
    const steps = {
      a: { rule: { advise: "</x>" }, next: [{ id: "b" }] },
      b: { prompt: "<x>@steps.a.output.advise</x>", next: [{ id: "c" }] },
      c: { prompt: { text: "{{#steps.b.output}}{{advise}}{{/steps.b.output}} @steps.gone", system: "Step @tool" } },
    }
    const replies = [answered({ advise: "one" }), answered({ refuse: "two" })]
    const { frame } = await w.ask(way, replies, workflow(steps))
    expect(user(0)).toBe('<x>"\\u003c/x\\u003e"</x>')
    expect(user(1)).toBe('"one" null')
    expect(frame.refuse).toEqual({ reason: "two" })
  })

  it("lets a rule's step say what a model's step said", async () => {
    const steps = { a: { prompt: "x", next: [{ id: "b" }] }, b: { rule: { refuse: "it said @steps.a.output.advise" } } }
    const { frame } = await w.ask(way, answered({ advise: "one" }), workflow(steps))
    expect(frame.refuse).toEqual({ reason: 'it said "one"' })
  })

  it("goes the way that a model's answer points", async () => {
    const steps = {
      a: { prompt: "x", next: [{ id: "b", if: { "==": [{ var: "steps.a.output.advise" }, "look"] } }] },
      b: { prompt: "y" },
    }
    expect((await w.ask(way, answered({ advise: "look" }), workflow(steps))).requests).toHaveLength(2)
    expect((await w.ask(way, answered({ advise: "fine" }), workflow(steps))).requests).toHaveLength(1)
  })

  it("uses what its steps used", async () => {
    const steps = { a: { prompt: "x", next: [{ id: "b" }] }, b: { prompt: "y" } }
    const ask = { ...workflow(steps), model: { prices: { m: { input: 90, output: 100 } } } }
    const { frame } = await w.ask(way, answered({}), ask)
    expect(frame.usage).toEqual({ provider: way.provider, model: "m", inputTokens: 200, outputTokens: 20, cost: 0.02 })
  })

  it("ends with the failure of a step, and has used what it used", async () => {
    const steps = { a: { prompt: "x", next: [{ id: "b" }] }, b: { prompt: "y" } }
    const { frame, requests } = await w.ask(way, [answered({}), { text: "[]" }], workflow(steps))
    expect(frame.failed?.kind).toBe("bad-output")
    expect(frame.usage).toMatchObject({ inputTokens: 200 })
    expect(requests).toHaveLength(2)
  })

  it("counts each step as a call of its hook", async () => {
    const budget = { run: { calls: 1 } }
    const steps = { a: { prompt: "x", next: [{ id: "b" }] }, b: { prompt: { text: "y", budget } } }
    const { frame, requests } = await w.ask(way, answered({}), { ...workflow(steps), model: { budget } })
    expect(frame.failed?.kind).toBe("budget")
    expect(requests).toHaveLength(1)
  })

  it("without a model is skipped, and refuses where it is closed", async () => {
    const steps = { a: { prompt: "x" } }
    const env = { MODEL_KEY: undefined }
    expect((await w.ask(way, {}, { ...workflow(steps), env })).frame).toMatchObject({ skipped: "no-model" })
    const closed = await w.ask(way, {}, { ...workflow(steps, { failure: "closed" }), env })
    expect(closed.verdict.outcome).toBe("refuse")
  })

  it("shows every step the keys of the hook's level", async () => {
    const steps = { a: { prompt: "x", next: [{ id: "b" }] }, b: { prompt: "y" } }
    await w.ask(way, answered({}), { ...workflow(steps), fire: { autonomy: "advise" } })
    for (const { body } of w.server.received) {
      const schema = body.tools?.[0].input_schema ?? body.response_format.json_schema.schema
      expect(Object.keys(schema.properties)).toEqual(["advise"])
    }
  })
})

describe("an observer that asks a model", () => {
  it("sees what happened, and counts to the budget of who caused it", async () => {
    const frames: HookFrame[] = []
    const budget = { run: { calls: 1 } }
    const hooks = [
      { id: "watch", on: "call.started", phase: "observe", prompt: { text: "@type by @caller.id: @tool", budget } },
    ]
    w.server.answer(answered({}))
    const engine = await w.engineOf(WAYS[0]!, {
      hooks,
      engine: { onObserved: (frame) => void (frame.type === "hook" && frames.push(frame)) },
    })
    const partOf = {}
    for (const [at, id] of ["ann", "bob", "ann"].entries()) {
      await engine.around("call", EVENT, () => 1, { partOf, caller: { id } })
      await until(() => frames.length > at)
    }
    expect(frames.map(({ failed }) => failed?.kind)).toEqual([undefined, undefined, "budget"])
    expect([0, 1].map(user)).toEqual(['"call.started" by "ann": "write_file"', '"call.started" by "bob": "write_file"'])
  })
})
