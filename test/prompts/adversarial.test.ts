import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createEngine } from "../../actions/engine.ts"
import type { JsonObject } from "../../effects/json.ts"
import { KEY_NAMES } from "../../effects/keys.ts"
import { LEVEL_NAMES, type Level } from "../../effects/levels.ts"
import type { Engine } from "../../engine/engine.ts"
import type { ActionResult } from "../../engine/ports.ts"
import type { HookFrame, Verdict } from "../../frames/frames.ts"
import { type HostileAnswer, hostileAnswers } from "../../govern/eval/adversarial.ts"
import { parsePolicy } from "../../policy/parse.ts"
import { PHASES, type Phase } from "../../policy/phases.ts"
import { type Behaviour, ModelServer } from "./model-server.ts"

const ROWS = hostileAnswers()
const LEVELS: readonly Level[] = LEVEL_NAMES.filter((level) => level !== "off")

type Came = { readonly failed: string } | { readonly kept: readonly string[]; readonly dropped: readonly string[] }

const EVENTS: Readonly<Record<string, JsonObject>> = {
  before: {},
  onSuccess: { result: "what came back" },
  onError: { error: { code: "error", message: "it broke" } },
  suffix: { result: "what came back" },
}
const ARGS = { path: "notes.txt" }

const phaseOf = ({ phase = "before" }: HostileAnswer): Phase => phase as Phase

/** The levels that a hook of the row's phase can have at all. */
const levelsOf = (row: HostileAnswer): readonly Level[] => {
  const { ceiling } = PHASES[phaseOf(row)]
  return LEVELS.slice(0, LEVELS.indexOf(ceiling) + 1)
}

const expectedAt = ({ failed, at }: HostileAnswer, level: Level): Came | undefined =>
  failed === undefined ? at?.[level] : { failed }

/** What a frame says: the keys that had an effect, and those that were dropped. */
function cameTo(frame: HookFrame): Came {
  if (frame.failed) return { failed: frame.failed.kind }
  const effects: Readonly<Record<string, unknown>> = { ...frame, apply: frame.changed || undefined, run: frame.ran }
  return {
    kept: KEY_NAMES.filter((key) => effects[key] !== undefined),
    dropped: (frame.dropped ?? []).map(({ key }) => key).sort(),
  }
}

const sorted = (came: Came | undefined): Came | undefined =>
  came && "kept" in came
    ? { kept: KEY_NAMES.filter((key) => came.kept.includes(key)), dropped: [...came.dropped].sort() }
    : came

const hookOf = (phase: Phase, effect: Level, prompt: unknown) => ({
  version: 1,
  hooks: [{ id: "judge", on: "call", phase, effect, timeoutMs: 20_000, prompt }],
})

/** Fires the one hook, whose only frame is what matters. */
async function fire(engine: Engine, phase: Phase): Promise<{ verdict: Verdict; frame: HookFrame }> {
  const verdict = await engine.fire("call", phase, { server: "fs", tool: "read", args: ARGS, ...EVENTS[phase] })
  return { verdict, frame: verdict.frames.find((one): one is HookFrame => one.type === "hook")! }
}

/** A way on which an answer comes; `levels` are those at which each row is tried on it. */
interface Way {
  readonly provider: "openai" | "anthropic"
  readonly stream: boolean
  readonly levels: readonly Level[]
}
const SOME: readonly Level[] = ["advise", "run"]
const WAYS: readonly Way[] = [
  { provider: "openai", stream: false, levels: LEVELS },
  { provider: "openai", stream: true, levels: SOME },
  { provider: "anthropic", stream: false, levels: SOME },
  { provider: "anthropic", stream: true, levels: SOME },
]

const isObjectText = (text: string): boolean => {
  try {
    return typeof JSON.parse(text) === "object"
  } catch {
    return false
  }
}

/** Anthropic's answer is the input of a tool where it can be one, and words where it cannot. */
function behaviour({ provider, stream }: Way, text: string): Behaviour {
  if (provider === "openai") return { text }
  const asInput = text.trim() !== "" && (stream || isObjectText(text))
  return asInput ? { text } : { text: null, words: text, stop: "end_turn" }
}

/** What takes long on the wire in pieces is sent whole. */
const travels = ({ text }: HostileAnswer, { provider, stream }: Way) =>
  text.length < 10_000 || (provider === "openai" && !stream)

describe("the answers of a hostile model, through the engine and both providers", () => {
  let server: ModelServer
  const engines = new Map<string, Promise<Engine>>()
  let sent = 0

  beforeAll(async () => {
    server = await ModelServer.start()
  })
  afterAll(async () => {
    for (const engine of engines.values()) await (await engine).close()
    await server.close()
  })

  const engineFor = ({ provider, stream }: Way, phase: Phase, level: Level): Promise<Engine> => {
    const name = `${provider} ${stream} ${phase} ${level}`
    const known = engines.get(name)
    if (known) return known
    const baseUrl = server.baseUrl(provider)
    const prompt = { text: "Judge @args", provider, model: "m", baseUrl, apiKeyEnv: "KEY", stream }
    const made = createEngine({
      policy: parsePolicy(JSON.stringify(hookOf(phase, level, prompt)), { file: "p.json" }),
      env: { KEY: "any" },
      call: async () => ++sent,
    })
    engines.set(name, made)
    return made
  }

  it.each(ROWS.map((row) => [row.name, row] as const))("come to what the table says: %s", async (_, row) => {
    const phase = phaseOf(row)
    for (const way of WAYS.filter((one) => travels(row, one))) {
      for (const level of way.levels.filter((one) => levelsOf(row).includes(one))) {
        server.answer(behaviour(way, row.text))
        const { verdict, frame } = await fire(await engineFor(way, phase, level), phase)
        const where = `${way.provider}${way.stream ? ", streamed" : ""}, at ${level}`
        expect({ where, ...cameTo(frame) }).toEqual({ where, ...sorted(expectedAt(row, level)) })
        expect(frame.effect).toBe(level)
        // one request for each look: after a rewrite the hook looks again
        expect(server.received).toHaveLength(verdict.frames.length)
        expectNothingBeyond(verdict, frame, phase)
      }
    }
    expect(sent).toBe(0)
  })

  /** What no frame tells is no effect either. */
  function expectNothingBeyond(verdict: Verdict, frame: HookFrame, phase: Phase): void {
    if (!frame.changed) {
      expect(verdict.input).toEqual(ARGS)
      // a refusal after the call withholds what came back
      expect(verdict.result).toEqual(frame.refuse ? undefined : EVENTS[phase]?.result)
      expect(verdict.outcome).not.toBe("answer")
    }
    if (!frame.refuse) expect(verdict.outcome).not.toBe("refuse")
    if (!frame.ask) expect(verdict.questions).toEqual([])
    if (!frame.ran) expect(verdict.outcome).not.toBe("retry")
    expect(verdict.advice).toHaveLength(frame.advise?.length ?? 0)
    expect(verdict.proposals).toHaveLength(frame.propose ? 1 : 0)
  }
})

describe("the table", () => {
  it("has a row for each thing that a model may get wrong, each with a name of its own", () => {
    expect(ROWS.length).toBeGreaterThan(100)
    expect(new Set(ROWS.map(({ name }) => name)).size).toBe(ROWS.length)
  })

  it("says of every row what comes of it at each level that its phase can have, once", () => {
    for (const row of ROWS) {
      expect([row.name, (row.failed === undefined) !== (row.at === undefined)]).toEqual([row.name, true])
      if (row.at) expect([row.name, Object.keys(row.at)]).toEqual([row.name, levelsOf(row)])
    }
  })

  it("keeps no key that the level is below, and loses none", () => {
    for (const row of ROWS) {
      for (const [level, came] of Object.entries(row.at ?? {})) {
        if (came === undefined || "failed" in came) continue
        const above = came.kept.filter((key) => LEVELS.indexOf(level as Level) < LEVELS.indexOf(NEEDS[key]!))
        expect([row.name, level, above]).toEqual([row.name, level, []])
        const all = row.at?.advise
        if (all && "kept" in all) {
          expect([row.name, [...came.kept, ...came.dropped].sort()]).toEqual([
            row.name,
            [...all.kept, ...all.dropped].sort(),
          ])
        }
      }
    }
  })
})

/** The levels of the contract, written out again. */
const NEEDS: Readonly<Record<string, Level>> = {
  advise: "advise",
  ask: "ask",
  refuse: "ask",
  propose: "propose",
  apply: "apply",
  run: "run",
}

/** Readers that are laxer than they may be, and rows that have to find each of them out. */
const STRAWMEN: Readonly<Record<string, { read(text: string): unknown; foundBy: readonly string[] }>> = {
  "one that takes the last of several objects": {
    read: (text) => JSON.parse(text.match(/\{[^{}]*\}/g)?.at(-1) ?? "?"),
    foundBy: ["two objects", "two fences", "an object in a sentence", "a word before the object"],
  },
  "one that ends what is cut off": {
    read: (text) => JSON.parse(text.endsWith("}") ? text : `${text}}`),
    foundBy: ["an object that is not closed"],
  },
  "one that lets the last of two keys win": {
    read: (text) => JSON.parse(text),
    foundBy: ["refuses twice", "repeats a key that is spelt with an escape", "a prototype spelt with an escape"],
  },
  "one that turns values into texts": {
    read: (text) => {
      const output = JSON.parse(text) as JsonObject
      return "refuse" in output ? { ...output, refuse: String(output.refuse) } : output
    },
    foundBy: ["refuse is false", "refuse is null", "refuse is a number"],
  },
  "one that knows keys by their looks": {
    read: (text) =>
      Object.fromEntries(
        Object.entries(JSON.parse(text) as JsonObject).map(([key, value]) => [
          key.toLowerCase().replace(/[^a-z]/g, ""),
          value,
        ]),
      ),
    foundBy: ["keys in capitals are other keys", "a key with a zero-width space in it is another key"],
  },
  "one that unwraps": {
    read: (text) => {
      const output = JSON.parse(text) as JsonObject
      return output.output ?? output
    },
    foundBy: ["everything inside of an output of its own"],
  },
  "one that forgives comments": {
    read: (text) => JSON.parse(text.replace(/\/\*.*?\*\/|\/\/.*$|<!--.*?-->/gm, "")),
    foundBy: ["a verdict in a comment at the end of a line", "a verdict in a comment inside of the object"],
  },
}

describe("the table finds out", () => {
  const deviating = async (read: (row: HostileAnswer) => ActionResult, level: Level, column = level) => {
    let row = ROWS[0]!
    const found: string[] = []
    for (const phase of ["before", "onSuccess", "onError"] as const) {
      const engine = await createEngine({
        policy: parsePolicy(JSON.stringify(hookOf(phase, level, "Judge @args")), { file: "p.json" }),
        actions: (real) => ({ ...real, prompt: { run: async () => read(row) } }),
      })
      for (row of ROWS.filter((one) => phaseOf(one) === phase)) {
        const { frame } = await fire(engine, phase)
        const came = JSON.stringify(cameTo(frame))
        if (came !== JSON.stringify(sorted(expectedAt(row, column)))) found.push(row.name)
      }
      await engine.close()
    }
    return found
  }

  const lax =
    (read: (text: string) => unknown) =>
    ({ text }: HostileAnswer): ActionResult => {
      try {
        return { output: read(text) }
      } catch {
        return { failed: { kind: "bad-output", message: "no JSON" } }
      }
    }

  it.each(Object.entries(STRAWMEN))("a reader that is too kind: %s", async (_, { read, foundBy }) => {
    expect(await deviating(lax(read), "ask")).toEqual(expect.arrayContaining([...foundBy]))
  })

  it("a clamp that grants everything", async () => {
    const found = await deviating(lax(JSON.parse), "run", "ask")
    expect(found).toEqual(
      expect.arrayContaining([
        "answers in place of the tool",
        "rewrites the arguments",
        "proposes",
        "everything at once",
      ]),
    )
  })

  it("a clamp that grants nothing", async () => {
    const found = await deviating(lax(JSON.parse), "advise", "ask")
    expect(found).toEqual(expect.arrayContaining(["asks", "refuses", "refuses and asks", "allows and refuses"]))
  })
})
