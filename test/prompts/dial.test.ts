import { describe, expect, it } from "vitest"
import type { JsonObject } from "../../effects/json.ts"
import type { Engine } from "../../engine/engine.ts"
import type { HookFrame } from "../../frames/frames.ts"
import type { Phase } from "../../policy/phases.ts"
import { answerSchema, instruction, permittedKeys } from "../../prompts/output.ts"
import { answered, EVENT, hookFrames, until, WAYS, world } from "./asking.ts"
import type { Received } from "./model-server.ts"

const w = world()

/** The dial and the keys as the contract has them, written down once more. */
const LEVELS = ["off", "advise", "ask", "propose", "apply", "run"] as const
const KEYS = ["advise", "ask", "refuse", "propose", "apply", "run"] as const
type Level = (typeof LEVELS)[number]
type Key = (typeof KEYS)[number]
const NEEDS: Record<Key, Level> = {
  advise: "advise",
  ask: "ask",
  refuse: "ask",
  propose: "propose",
  apply: "apply",
  run: "run",
}
const rank = (level: Level) => LEVELS.indexOf(level)

/** The phases in which a prompt may stand, with the highest level of each, an event, and a value for each key. */
const PHASES: Record<string, { ceiling: Level; event: JsonObject; values: Record<Key, unknown> }> = {
  before: {
    ceiling: "run",
    event: EVENT,
    values: values({ input: { path: "b.txt" } }, { call: { tool: "x/y", args: {} } }),
  },
  onSuccess: {
    ceiling: "run",
    event: { ...EVENT, result: 1 },
    values: values({ result: 2 }, { call: { tool: "x/y", args: {} } }),
  },
  onError: {
    ceiling: "run",
    event: { ...EVENT, error: { code: "x", message: "y" } },
    values: values({ result: 2 }, { retry: true }),
  },
  suffix: { ceiling: "advise", event: { ...EVENT, result: 1 }, values: values({ result: 2 }, { retry: true }) },
}

function values(apply: unknown, run: unknown): Record<Key, unknown> {
  return { advise: "careful", ask: "sure?", refuse: "no", propose: { note: "that" }, apply, run }
}

const SUBSETS = Array.from({ length: 2 ** KEYS.length }, (_, bits) => KEYS.filter((_, at) => bits & (1 << at)))

/** What comes of an answer with these keys, worked out the slow way. */
function oracle(phase: string, caller: Level, keys: readonly Key[]) {
  const { ceiling } = PHASES[phase]!
  const allowed = rank(caller) < rank(ceiling) ? caller : ceiling
  const kept: Key[] = []
  const dropped: unknown[] = []
  for (const key of keys) {
    const level = NEEDS[key]
    if (rank(level) <= rank(allowed)) {
      kept.push(key)
      continue
    }
    const by = []
    if (rank(ceiling) < rank(level)) by.push("phase")
    if (rank(caller) < rank(level)) by.push("caller")
    dropped.push({ key, level, allowed, by })
  }
  const lost: Key[] = []
  if (kept.includes("refuse")) lost.push("ask", "run", "apply")
  else if (kept.includes("ask")) lost.push("run", "apply")
  else if (kept.includes("run") && phase === "onError") lost.push("apply")
  for (const key of lost) {
    if (kept.includes(key)) dropped.push({ key, level: NEEDS[key], allowed, by: ["refused"] })
  }
  return { allowed, dropped, kept: kept.filter((key) => !lost.includes(key)) }
}

/** The keys of an output that a frame shows as honoured. */
const keptIn = (frame: HookFrame): Key[] =>
  KEYS.filter((key) =>
    key === "apply" ? frame.changed : key === "run" ? frame.ran !== undefined : frame[key] !== undefined,
  )

/** The schema and the instruction of a request. */
function shown({ body }: Received): { schema: JsonObject; system: string } {
  const schema = body.tools?.[0].input_schema ?? body.response_format.json_schema.schema
  return { schema, system: body.system ?? body.messages[0].content }
}

const keysIn = (system: string): string[] => [...system.matchAll(/^- "(\w+)":/gm)].map(([, key]) => key!)

const HOOKS = Object.keys(PHASES).map((phase) => ({
  id: phase,
  on: "call",
  phase,
  when: { tool: "write_file" },
  effect: "run",
  may: ["retry", "x/y"],
  recheck: false,
  prompt: "Judge @args",
}))

describe.each(WAYS)("what a model may say ($name)", (way) => {
  let engine: Engine | undefined
  const fire = async (phase: string, autonomy: Level) => {
    engine ??= await w.engineOf(way, { hooks: HOOKS, engine: { call: async () => null } })
    return engine.fire("call", phase as Phase, PHASES[phase]!.event, { autonomy })
  }

  const places = Object.keys(PHASES).flatMap((phase) => LEVELS.slice(1).map((level) => ({ phase, level })))

  it.each(places)("is in the schema and in the instruction alike, and no more: $phase at $level", async (place) => {
    w.server.answer(answered({}))
    const { allowed } = oracle(place.phase, place.level, [])
    const expected = KEYS.filter((key) => rank(NEEDS[key]) <= rank(allowed))
    await fire(place.phase, place.level)
    const { schema, system } = shown(w.server.received[0]!)
    expect(Object.keys(schema.properties as object)).toEqual(expected)
    expect(schema).toMatchObject({ type: "object", additionalProperties: false })
    expect(schema).not.toHaveProperty("required")
    expect(keysIn(system)).toEqual(expected)
  })

  // Both protocols and both kinds of answer, once each: what cuts is the same for all.
  const cutting = (way.provider === "openai") === way.stream ? [] : places
  it.each(cutting)("is cut down all the same: $phase at $level", { timeout: 60_000 }, async ({ phase, level }) => {
    for (const keys of SUBSETS) {
      const output = Object.fromEntries(keys.map((key) => [key, PHASES[phase]!.values[key]]))
      w.server.answer(answered(output))
      const frame = hookFrames(await fire(phase, level))[0]!
      const expected = oracle(phase, level, keys)
      expect(frame.failed).toBeUndefined()
      expect({ effect: frame.effect, dropped: frame.dropped ?? [], kept: keptIn(frame) }).toEqual({
        effect: expected.allowed,
        dropped: expected.dropped,
        kept: expected.kept,
      })
    }
  })

  it("is nothing at off, and nobody is asked", async () => {
    w.server.answer(answered({ refuse: "no" }))
    for (const phase of Object.keys(PHASES)) {
      expect(hookFrames(await fire(phase, "off"))[0]).toMatchObject({ skipped: "off" })
    }
    expect(w.server.received).toEqual([])
  })

  it("is no key at all in observe, and what it says all the same is dropped", async () => {
    w.server.answer(answered({ refuse: "no", advise: "careful" }))
    const observed: HookFrame[] = []
    const observing = await w.engineOf(way, {
      hooks: [{ id: "watch", on: "call.decided", phase: "observe", prompt: "Look at @type of @tool: @outcome" }],
      engine: { onObserved: (frame) => void (frame.type === "hook" && observed.push(frame)) },
    })
    await observing.fire("call", "before", EVENT)
    await until(() => observed.length > 0)
    const { schema, system } = shown(w.server.received[0]!)
    expect(schema).toMatchObject({ properties: {}, additionalProperties: false })
    expect(keysIn(system)).toEqual([])
    expect(system).toContain("It holds no key")
    expect(w.server.received[0]!.body.messages.at(-1).content).toBe(
      'Look at "call.decided" of "write_file": "continue"',
    )
    expect(observed[0]).toMatchObject({ effect: "off", dropped: [{ key: "refuse" }, { key: "advise" }] })
    expect(observed[0]).not.toHaveProperty("failed")
  })

  it("is no level of its own: keys that are none are dropped", async () => {
    w.server.answer({ text: '{"allow":true,"advise":"careful","constructor":{},"Refuse":"no","effect":"run"}' })
    const frame = hookFrames(await fire("before", "ask"))[0]!
    expect(frame.advise).toEqual([{ text: "careful" }])
    expect(frame.dropped?.map(({ key, by }) => [key, by])).toEqual(
      ["allow", "constructor", "Refuse", "effect"].map((key) => [key, ["unknown"]]),
    )
  })
})

describe("an example", () => {
  const prompt = {
    text: "Judge @args",
    examples: [
      { event: { args: 1 }, output: { advise: "fine" } },
      { event: { args: 2 }, output: { refuse: "no" } },
      { event: { args: 3 }, output: { advise: "hm", apply: { input: {} } } },
      { event: { args: 4 }, output: {} },
    ],
  }
  it.each([
    ["advise", [1, 4]],
    ["ask", [1, 2, 4]],
    ["propose", [1, 2, 4]],
    ["apply", [1, 2, 3, 4]],
  ] as const)("that answers above the level in force is left out: %s", async (autonomy, expected) => {
    const { requests } = await w.ask(WAYS[0]!, answered({}), { hook: { effect: "apply", prompt }, fire: { autonomy } })
    const asked = requests[0]!.body.messages.filter(({ role }: { role: string }) => role === "user")
    expect(asked.slice(0, -1).map(({ content }: { content: string }) => content)).toEqual(
      expected.map((args) => `Judge ${args}`),
    )
  })
})

describe("the schema and the instruction", () => {
  const MEMBERS: Record<string, { apply: string[]; run: string[] }> = {
    before: { apply: ["input", "result", "merge", "target"], run: ["call", "argv", "module"] },
    prefix: { apply: [], run: ["call", "argv", "module"] },
    onSuccess: { apply: ["result", "merge"], run: ["call", "argv", "module"] },
    onError: { apply: ["result", "error", "merge"], run: ["retry", "call", "argv", "module"] },
    suffix: { apply: [], run: [] },
    observe: { apply: [], run: [] },
  }

  it.each(Object.keys(MEMBERS))("name what may be replaced and run in %s", (phase) => {
    const keys = permittedKeys(phase, "run")
    const { properties } = answerSchema(phase, keys) as { properties: Record<string, { anyOf?: JsonObject[] }> }
    for (const key of ["apply", "run"] as const) {
      const members = MEMBERS[phase]![key]
      expect(keys.includes(key)).toBe(members.length > 0)
      if (members.length === 0) continue
      const alternatives = properties[key]!.anyOf ?? [properties[key]!]
      expect(alternatives.map((one: JsonObject) => Object.keys(one.properties as object)[0])).toEqual(members)
      const line = instruction(phase, keys)
        .split("\n")
        .find((one) => one.startsWith(`- "${key}":`))!
      expect(line.slice(line.indexOf("exactly one of")).match(/"(\w+)"/g)).toEqual(members.map((name) => `"${name}"`))
    }
  })
})
