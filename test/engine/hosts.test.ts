import { describe, expect, test } from "vitest"
import type { JsonObject } from "../../effects/json.ts"
import type { ActionRunner } from "../../engine/ports.ts"
import { complete } from "../../policy/complete.ts"
import type { HostFunction } from "../../policy/policy.ts"
import { engineOf, hook, hookFrames, WRITE } from "./world.ts"

const answering = (fn: HostFunction) => engineOf([hook("host", { fn })]).fire("call", "before", WRITE)

describe("what a host function answers", () => {
  const noObjects: Record<string, () => unknown> = {
    "a map": () => new Map([["refuse", "no"]]),
    "a date": () => new Date(),
    "an error": () => new Error("no"),
    "an instance of a class": () =>
      new (class {
        refuse = "no"
      })(),
    "an object that inherits its keys": () => Object.create({ refuse: "no" }),
    "a function": () => () => ({ refuse: "no" }),
    null: () => null,
    false: () => false,
  }
  for (const [name, fn] of Object.entries(noObjects)) {
    test(`${name} is bad output, not no opinion`, async () => {
      const verdict = await answering(fn)
      expect(hookFrames(verdict)[0]).toMatchObject({ failed: { kind: "bad-output" } })
    })
  }

  test("an answer that throws when it is read is a throw of the hook, told to nobody in its own words", async () => {
    const throwing = [
      () => ({
        get refuse() {
          throw new Error("secret")
        },
      }),
      () =>
        new Proxy(
          {},
          {
            ownKeys() {
              throw new Error("secret")
            },
          },
        ),
    ]
    for (const fn of throwing) {
      const verdict = await answering(fn)
      expect(hookFrames(verdict)[0]).toMatchObject({ failed: { kind: "throw", message: "the hook threw" } })
    }
  })

  test("an answer is read once, and what its maker does to it later changes no frame", async () => {
    const advice = { text: "careful", data: { seen: 0 } }
    const verdict = await answering(() => ({ advise: advice }))
    advice.data.seen = 1
    expect(hookFrames(verdict)[0]!.advise).toEqual([{ text: "careful", data: { seen: 0 } }])
  })

  test("an answer without an end is bad output", async () => {
    const endless: Record<string, unknown> = {}
    endless.data = endless
    const verdict = await answering(() => ({ advise: { text: "x", data: endless } }))
    expect(hookFrames(verdict)[0]).toMatchObject({ failed: { kind: "bad-output" } })
  })
})

describe("a cancelled operation", () => {
  test("still runs its suffix, as a finally does", async () => {
    const cancel = new AbortController()
    const hooks = [
      hook("cancels", { fn: () => cancel.abort() }),
      hook("tidies", { phase: "suffix", effect: "advise", fn: async () => ({ advise: "tidied" }) }),
    ]
    const verdict = await engineOf(hooks).around("call", WRITE, () => "sent", { signal: cancel.signal })
    expect(verdict.refusal).toMatchObject({ code: "cancelled" })
    expect(verdict.advice).toEqual([{ hook: "tidies", text: "tidied" }])
  })

  test("is refused also where it was cancelled in the second look", async () => {
    const cancel = new AbortController()
    let sent = 0
    const cancels = (event: JsonObject) => {
      if ((event.args as { path: string }).path === "b.txt") cancel.abort()
    }
    const hooks = [
      hook("cancels", { effect: "ask", fn: cancels }),
      hook("rewrites", { rule: { apply: { merge: { path: "b.txt" } } } }),
    ]
    const verdict = await engineOf(hooks).around("call", WRITE, () => ++sent, { signal: cancel.signal })
    expect(verdict.refusal).toMatchObject({ code: "cancelled" })
    expect(sent).toBe(0)
  })
})

describe("whoever answers questions", () => {
  const asks = hook("asks", { effect: "ask", rule: { ask: "may it?" } })
  const odd: Record<string, () => unknown> = {
    "throws at once": () => {
      throw new Error("no terminal")
    },
    "answers nothing": async () => null,
    "answers no list": async () => "yes",
    "answers no texts": async () => [true],
  }
  for (const [name, ask] of Object.entries(odd)) {
    test(`one that ${name} has not answered`, async () => {
      const verdict = await engineOf([asks], { ask: ask as never }).around("call", WRITE, () => "sent")
      expect(verdict.refusal).toEqual({ hook: "asks", reason: "nobody answered: may it?", code: "unanswered" })
    })
  }

  test("two hooks with one id, of different files, each have their question and their answer", async () => {
    const hooks = [asks, hook("asks", { effect: "ask", rule: { ask: "really?" } })]
    const open = await engineOf(hooks).fire("call", "before", WRITE)
    expect(open.questions.map(({ question }) => question)).toEqual(["may it?", "really?"])
    const answered = await engineOf(hooks, { ask: async () => ["yes", "no"] }).fire("call", "before", WRITE)
    expect(hookFrames(answered).map(({ ask }) => ask)).toEqual([
      { question: "may it?", answer: "yes" },
      { question: "really?", answer: "no" },
    ])
    expect(answered.refusal).toMatchObject({ reason: "answered `no`: really?" })
  })
})

describe("the second look", () => {
  const rewrites = hook("rewrites", { rule: { apply: { merge: { path: "b.txt" } } } })
  const prompt = (failure: "open" | "closed") =>
    complete(
      {
        on: "call",
        phase: "before",
        effect: "ask",
        failure,
        when: { args: { path: "b.txt" } },
        action: { kind: "prompt", prompt: "Is it?" },
      },
      "model",
      [],
    )
  const runs = (run: ActionRunner<"prompt">["run"]) => ({ actions: { prompt: { run } } })

  test("a closed hook that could not look refuses there, too", async () => {
    const noModel = runs(async () => ({ skipped: "no-model", warning: "no model" }))
    const verdict = await engineOf([rewrites, prompt("closed")], noModel).fire("call", "before", WRITE)
    expect(verdict.outcome).toBe("refuse")
    const before = await engineOf([prompt("closed"), rewrites], noModel).fire("call", "before", WRITE)
    expect(before.refusal).toMatchObject({ hook: "model", code: "hook_failed" })
    expect(hookFrames(before)[1]).toMatchObject({ recheck: true, skipped: "no-model", notes: ["no model"] })
    expect((await engineOf([prompt("open"), rewrites], noModel).fire("call", "before", WRITE)).outcome).toBe("continue")
  })

  test("says what it took: its time, its tokens, its notes", async () => {
    let now = 0
    const usage = { provider: "openai", model: "m", inputTokens: 1, outputTokens: 2 }
    const ports = runs(async () => {
      now += 40
      return { output: { ask: "sure?" }, usage, notes: ["a note"] }
    })
    const verdict = await engineOf([prompt("open"), rewrites], { ...ports, now: () => now }).fire(
      "call",
      "before",
      WRITE,
    )
    expect(hookFrames(verdict)[1]).toMatchObject({ recheck: true, durationMs: 40, usage, notes: ["a note"] })
  })
})

test("a result that JSON cannot say is withheld like any other", async () => {
  const endless: Record<string, unknown> = {}
  endless.self = endless
  for (const result of [10n, endless, { n: 1n }]) {
    const refuses = hook("refuses", { phase: "onSuccess", effect: "ask", rule: { refuse: "no" } })
    const verdict = await engineOf([refuses]).around("call", WRITE, () => result)
    expect(verdict.refusal).toEqual({ hook: "refuses", reason: "no" })
    expect(hookFrames(verdict)[0]!.original).toMatchObject({ sha256: expect.stringMatching(/^[0-9a-f]{64}$/) })
  }
})

describe("what a host hands over", () => {
  const engine = engineOf([hook("sees", { effect: "advise", rule: { advise: "asked by @caller.id" } })])

  test.each<[string, unknown, string]>([
    ["NaN", Number.NaN, "event.args.it"],
    ["infinity", Number.POSITIVE_INFINITY, "event.args.it"],
    ["a bigint", 1n, "event.args.it"],
    ["a date", new Date(0), "event.args.it"],
    ["a function", () => 1, "event.args.it"],
    ["a map in a list", [1, new Map()], "event.args.it[1]"],
    ["a hole", [1, undefined], "event.args.it[1]"],
    ["an instance of a class", new (class {})(), "event.args.it"],
  ])("an event with %s in it is none, and says where", async (_, it, where) => {
    const firing = engine.fire("call", "before", { ...WRITE, args: { it } })
    await expect(firing).rejects.toThrow(`\`${where}\` is no JSON value`)
  })

  test("a member that is undefined counts as absent", async () => {
    const event = { ...WRITE, session: undefined, args: { path: undefined } }
    expect((await engine.fire("call", "before", event)).outcome).toBe("continue")
  })

  test("the caller of the options counts, else the event's own, else `local`", async () => {
    const askedBy = async (event: JsonObject, options = {}) =>
      (await engine.fire("call", "before", { ...WRITE, ...event }, options)).advice[0]!.text
    expect(await askedBy({ caller: { id: "bob" } }, { caller: { id: "ann" } })).toBe('asked by "ann"')
    expect(await askedBy({ caller: { id: "bob" } })).toBe('asked by "bob"')
    expect(await askedBy({})).toBe('asked by "local"')
  })

  test.each<[object, string]>([
    [{ autonmy: "off" }, "unknown option `autonmy`; did you mean `autonomy`?"],
    [{ caller: "bob" }, "the caller needs an `id`"],
    [{ caller: { id: "bob", scopes: "exec" } }, "the caller's `scopes` must be a list"],
    [{ host: null }, "unknown level `null` for host"],
    [{ timeoutMs: Number.NaN }, "`timeoutMs` must be a number of milliseconds above 0"],
  ])("the options %j are none", async (options, message) => {
    await expect(engine.fire("call", "before", WRITE, options)).rejects.toThrow(message)
    await expect(engine.around("call", WRITE, () => 1, options)).rejects.toThrow(message)
  })

  test("an operation that is no function is none, before any hook runs", async () => {
    await expect(engine.around("call", WRITE, "done" as never)).rejects.toThrow("must be a function")
  })
})
