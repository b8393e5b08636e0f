import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import type { Engine } from "../../engine/engine.ts"
import type { FireOptions } from "../../engine/given.ts"
import type { Budget } from "../../policy/prompt.ts"
import { answered, EVENT, HOOK, hookFrames, WAYS, world } from "./asking.ts"

const w = world()

/** A price at which the server's 100 and 10 tokens come to a cent. */
const prices = { m: { input: 90, output: 100 } }

let state: string
beforeEach(() => {
  state = mkdtempSync(join(w.home, "state-"))
})
afterEach(() => vi.useRealTimers())

const spent = (much: string) => ({ kind: "budget", message: `the budget for this hook is spent: ${much}` })

/** Fires so often, and answers what became of each: `ok`, or the sentence of its failure. */
async function fires(engine: Engine, count: number, options: FireOptions = {}): Promise<string[]> {
  const came: string[] = []
  for (let at = 0; at < count; at++) {
    for (const { failed } of hookFrames(await engine.fire("call", "before", EVENT, options))) {
      came.push(failed === undefined ? "ok" : failed.message.replace(/^.*spent: /, ""))
    }
  }
  return came
}

const engineWith = (own: Budget | undefined, all?: Budget, more: object = {}, hooks = [HOOK]) => {
  w.server.answer(answered({ advise: "fine" }))
  return w.engineOf(WAYS[0]!, {
    hooks: hooks.map((hook) => ({ ...hook, prompt: { text: "Judge @args", ...(own && { budget: own }) }, ...more })),
    model: { prices, ...(all && { budget: all }) },
    env: { XDG_STATE_HOME: state },
  })
}

describe("a budget of one run", () => {
  it.each([
    ["calls", { calls: 2 }, "2 calls a run for this hook"],
    ["tokens", { tokens: 220 }, "220 tokens a run for this hook"],
    ["tokens that are passed by what was under way", { tokens: 111 }, "111 tokens a run for this hook"],
    ["dollars", { cost: 0.02 }, "$0.02 a run for this hook"],
  ])("ends with its %s, and then nothing is sent", async (_, run, much) => {
    const partOf = {}
    const engine = await engineWith({ run })
    expect(await fires(engine, 4, { partOf })).toEqual(["ok", "ok", much, much])
    expect(w.server.received).toHaveLength(2)
  })

  it("begins anew with the next run", async () => {
    const engine = await engineWith({ run: { calls: 1 } })
    expect(await fires(engine, 3)).toEqual(["ok", "ok", "ok"])
    expect(await fires(engine, 2, { partOf: {} })).toEqual(["ok", "1 calls a run for this hook"])
  })

  it("of all prompts counts every hook's", async () => {
    const hooks = ["a", "b"].map((id) => ({ ...HOOK, id }))
    const engine = await engineWith(undefined, { run: { calls: 3 } }, {}, hooks)
    const much = "3 calls a run for all prompts"
    expect(await fires(engine, 2, { partOf: {} })).toEqual(["ok", "ok", "ok", much])
  })

  it("of one hook leaves another's alone", async () => {
    const hooks = ["a", "b"].map((id) => ({ ...HOOK, id }))
    const engine = await engineWith({ run: { calls: 1 } }, undefined, {}, hooks)
    const much = "1 calls a run for this hook"
    expect(await fires(engine, 2, { partOf: {} })).toEqual(["ok", "ok", much, much])
  })

  it("counts each caller's own", async () => {
    const engine = await engineWith({ run: { calls: 1 } })
    const partOf = {}
    for (const id of ["ann", "bob", 'ann"]']) {
      expect(await fires(engine, 2, { partOf, caller: { id } })).toEqual(["ok", "1 calls a run for this hook"])
    }
  })

  it("counts the calls that are under way", async () => {
    const engine = await engineWith({ run: { calls: 3 } })
    w.server.answer({ ...answered({}), delayMs: 50 })
    const partOf = {}
    const came = await Promise.all(Array.from({ length: 8 }, () => fires(engine, 1, { partOf })))
    expect(came.flat().filter((one) => one === "ok")).toHaveLength(3)
    expect(w.server.received).toHaveLength(3)
  })

  it("counts a call once, however often it is tried, and also where it fails", async () => {
    const engine = await engineWith({ run: { calls: 2 } })
    const failing = { status: 500, headers: { "retry-after-ms": "1" } }
    w.server.answer(failing, answered({}), { status: 400 })
    const came = await fires(engine, 3, { partOf: {} })
    expect(came[0]).toBe("ok")
    expect(came[1]).toContain("status 400")
    expect(came[2]).toBe("2 calls a run for this hook")
  })

  it("counts the tokens of an answer that is none", async () => {
    const engine = await engineWith({ run: { tokens: 100 } })
    w.server.answer({ text: "words" })
    const came = await fires(engine, 2, { partOf: {} })
    expect(came[1]).toBe("100 tokens a run for this hook")
  })

  it("does not count a call that never had its turn", async () => {
    w.server.answer({ ...answered({}), delayMs: 600 })
    const hook = { prompt: { text: "Judge @args", budget: { run: { calls: 2 } } } }
    const engine = await w.engineOf(WAYS[0]!, { hook, model: { concurrency: 1 } })
    const partOf = {}
    const first = fires(engine, 1, { partOf })
    await new Promise((resolve) => setTimeout(resolve, 100))
    await engine.fire("call", "before", EVENT, { partOf, timeoutMs: 100 })
    expect(await first).toEqual(["ok"])
    expect(await fires(engine, 2, { partOf })).toEqual(["ok", "2 calls a run for this hook"])
  })

  it("is not used by an answer from the cache", async () => {
    const own = { text: "Judge @args", cacheMs: 60_000, budget: { run: { calls: 1 } } }
    const engine = await engineWith(undefined, undefined, { prompt: own })
    expect(await fires(engine, 3, { partOf: {} })).toEqual(["ok", "ok", "ok"])
    expect(w.server.received).toHaveLength(1)
  })
})

describe("a budget that is spent", () => {
  it("leaves an open hook without a say, and lets a closed one refuse", async () => {
    for (const [failure, outcome] of [
      ["open", "continue"],
      ["closed", "refuse"],
    ] as const) {
      const engine = await engineWith({ run: { calls: 1 } }, undefined, { failure })
      const partOf = {}
      await fires(engine, 1, { partOf })
      const { verdict, frame } = await w.fire(engine, { fire: { partOf } })
      expect(frame.failed).toEqual(spent("1 calls a run for this hook"))
      expect(verdict.outcome).toBe(outcome)
      expect(frame.refuse?.code).toBe(failure === "closed" ? "hook_failed" : undefined)
    }
  })

  it("in dollars needs a price, and without one nothing is sent", async () => {
    const engine = await engineWith({ run: { cost: 5 } }, undefined, {
      prompt: { text: "x", model: "nobody-knows", budget: { run: { cost: 5 } } },
    })
    expect(await fires(engine, 1)).toEqual(["the price of `nobody-knows` is not known (`model.prices`)"])
    expect(w.server.received).toHaveLength(0)
  })

  it("is not needed where the budget has no dollars", async () => {
    const prompt = { text: "x", model: "nobody-knows", budget: { run: { tokens: 500 } } }
    expect(await fires(await engineWith(undefined, undefined, { prompt }), 1)).toEqual(["ok"])
  })

  it("in tokens says so where the provider counts none", async () => {
    const engine = await engineWith({ run: { tokens: 10 } })
    w.server.answer({ usage: false })
    const { frame } = await w.fire(engine)
    expect(frame.notes).toEqual([
      "the provider told no tokens, so the budget does not count any: limit `calls` instead",
    ])
    const other = await engineWith({ run: { calls: 10 } })
    w.server.answer({ usage: false })
    expect((await w.fire(other)).frame).not.toHaveProperty("notes")
  })
})

const privateFolder = (): string => {
  mkdirSync(join(state, "detent"), { mode: 0o700 })
  return join(state, "detent")
}

describe("a budget of one day", () => {
  const day = { calls: 2 }
  const much = "2 calls a day for this hook"

  it("is one for all runs and for all engines", async () => {
    expect(await fires(await engineWith({ day }), 1)).toEqual(["ok"])
    const engine = await engineWith({ day })
    expect(await fires(engine, 2)).toEqual(["ok", much])
    expect(await fires(await engineWith({ day }), 1)).toEqual([much])
  })

  it("begins anew on the next day of UTC", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: new Date("2030-02-28T23:59:00Z") })
    const engine = await engineWith({ day })
    expect(await fires(engine, 3)).toEqual(["ok", "ok", much])
    vi.setSystemTime(new Date("2030-03-01T00:00:00Z"))
    expect(await fires(engine, 3)).toEqual(["ok", "ok", much])
    expect(await fires(await engineWith({ day }), 1)).toEqual([much])
    expect(readdirSync(join(state, "detent/usage"))).toEqual(["prompts-2030-02-28.ndjson", "prompts-2030-03-01.ndjson"])
  })

  it.each([
    ["tokens", { tokens: 220 }, "220 tokens a day for this hook"],
    ["dollars", { cost: 0.02 }, "$0.02 a day for this hook"],
  ])("counts %s, too", async (_, limit, sentence) => {
    expect(await fires(await engineWith({ day: limit }), 2)).toEqual(["ok", "ok"])
    expect(await fires(await engineWith({ day: limit }), 1)).toEqual([sentence])
  })

  it("of all prompts counts what each hook used before", async () => {
    const all = { day: { calls: 2 } }
    await fires(await engineWith(undefined, all, { id: "a" }), 1)
    await fires(await engineWith(undefined, all, { id: "b" }), 1)
    expect(await fires(await engineWith(undefined, all, { id: "c" }), 1)).toEqual(["2 calls a day for all prompts"])
    expect(await fires(await engineWith(undefined, all, { id: "c" }), 1, { caller: { id: "bob" } })).toEqual(["ok"])
  })

  it.each([
    ["stands in a file", () => writeFileSync(join(state, "detent"), "")],
    ["is a file", () => writeFileSync(join(privateFolder(), "usage"), "")],
    ["is open to others", () => chmodSync(privateFolder(), 0o755)],
  ])("counts as spent where its folder %s", async (_, spoil) => {
    spoil()
    const engine = await engineWith({ day: { calls: 100 } })
    const [came] = await fires(engine, 1)
    expect(came).toMatch(/^what was used today cannot be counted: `.*usage` is not a folder of yours alone$/)
    expect(w.server.received).toHaveLength(0)
    expect(await fires(await engineWith({ run: { calls: 100 } }), 1)).toEqual(["ok"])
  })

  it("writes nothing more once it is spent", async () => {
    const engine = await engineWith({ day: { calls: 1 } })
    await fires(engine, 2)
    const kept = () => readFileSync(join(state, "detent/usage", readdirSync(join(state, "detent/usage"))[0]!), "utf8")
    const before = kept()
    await fires(engine, 5)
    await fires(await engineWith({ day: { calls: 1 } }), 5)
    expect(kept()).toBe(before)
  })

  it("stands beside one of a run: what is spent first ends it", async () => {
    const engine = await engineWith({ run: { calls: 1 }, day: { calls: 2 } })
    expect(await fires(engine, 2, { partOf: {} })).toEqual(["ok", "1 calls a run for this hook"])
    // What was refused was not used.
    expect(await fires(engine, 2)).toEqual(["ok", much])
  })
})
