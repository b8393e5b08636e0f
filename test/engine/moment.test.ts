import { describe, expect, test } from "vitest"
import type { Frame } from "../../frames/frames.ts"
import { engineOf, gate, hook, hookFrames, WRITE } from "./world.ts"

describe("side by side and in turn", () => {
  test("neighbours below apply run at the same time, and their frames keep the declared order", async () => {
    const second = gate()
    const engine = engineOf([
      hook("waits", { effect: "ask", fn: async () => second.passed.then(() => ({ advise: "first" })) }),
      hook("opens", {
        effect: "advise",
        fn: () => {
          second.open()
          return { advise: "second" }
        },
      }),
    ])
    const verdict = await engine.fire("call", "before", WRITE)
    expect(hookFrames(verdict).map((frame) => frame.hook)).toEqual(["waits", "opens"])
    expect(verdict.advice).toEqual([
      { hook: "waits", text: "first" },
      { hook: "opens", text: "second" },
    ])
  })

  test("hooks at apply run one after the other, each fed by the one before", async () => {
    const saw: unknown[] = []
    const append = (text: string) =>
      hook(text, {
        effect: "apply",
        fn: (event) => {
          saw.push((event.args as { path: string }).path)
          return { apply: { merge: { path: `${(event.args as { path: string }).path}${text}` } } }
        },
      })
    const verdict = await engineOf([append("1"), append("2"), append("3")]).fire("call", "before", WRITE)
    expect(saw.slice(0, 3)).toEqual(["a.txt", "a.txt1", "a.txt12"])
    expect(verdict.input).toEqual({ path: "a.txt123", content: "x" })
  })

  test("a refusal ends the moment after the group it came in, and names the hooks that did not run", async () => {
    let ran = 0
    const verdict = await engineOf([
      hook("no", { effect: "ask", rule: { refuse: "no" } }),
      hook("beside", {
        effect: "advise",
        fn: () => {
          ran++
          return { advise: "noted" }
        },
      }),
      hook("later", {
        effect: "apply",
        fn: () => {
          ran++
          return { apply: { merge: { path: "b" } } }
        },
      }),
    ]).fire("call", "before", WRITE)
    expect(ran).toBe(1)
    expect(verdict.outcome).toBe("refuse")
    expect(verdict.advice).toHaveLength(1)
    expect(hookFrames(verdict)[2]).toMatchObject({ hook: "later", skipped: "refused" })
  })

  test("what a host function does to its event reaches nobody", async () => {
    const event = structuredClone(WRITE)
    const verdict = await engineOf([
      hook("vandal", {
        effect: "advise",
        fn: (given) => {
          ;(given.args as { path: string }).path = "stolen"
          return undefined
        },
      }),
      hook("tells", { effect: "advise", rule: { advise: "@args.path" } }),
    ]).fire("call", "before", event)
    expect(event).toEqual(WRITE)
    expect(verdict.advice[0]?.text).toBe('"a.txt"')
  })
})

describe("deadlines and cancellation", () => {
  test("a hook that never answers is a timeout, and what it says later is ignored", async () => {
    const late = gate()
    let aborted = false
    const engine = engineOf([
      hook("slow", {
        effect: "ask",
        timeoutMs: 40,
        fn: async (_, { signal }) => {
          signal.addEventListener("abort", () => (aborted = true))
          await late.passed
          return { refuse: "too late" }
        },
      }),
    ])
    const verdict = await engine.fire("call", "before", WRITE)
    late.open()
    await late.passed
    expect(verdict.outcome).toBe("continue")
    expect(hookFrames(verdict)[0]).toMatchObject({ failed: { kind: "timeout" } })
    expect(aborted).toBe(true)
  })

  test("closed, the same hook refuses with the code hook_failed", async () => {
    const verdict = await engineOf([
      hook("slow", { effect: "ask", failure: "closed", timeoutMs: 40, fn: () => new Promise(() => {}) }),
    ]).fire("call", "before", WRITE)
    expect(verdict.refusal).toMatchObject({ hook: "slow", code: "hook_failed" })
  })

  test("a cancelled operation is refused, never passed", async () => {
    const cancel = new AbortController()
    const started = gate()
    const engine = engineOf([
      hook("waits", {
        effect: "advise",
        fn: () => {
          started.open()
          return new Promise(() => {})
        },
      }),
      hook("later", { effect: "apply", rule: { apply: { merge: { path: "b" } } } }),
    ])
    const firing = engine.fire("call", "before", WRITE, { signal: cancel.signal })
    await started.passed
    cancel.abort()
    const verdict = await firing
    expect(verdict).toMatchObject({ outcome: "refuse", refusal: { code: "cancelled" } })
    expect(hookFrames(verdict)[1]).toMatchObject({ hook: "later", skipped: "refused" })
  })

  test("an operation cancelled before it began fires nothing", async () => {
    let ran = false
    const verdict = await engineOf([hook("any", { fn: () => (ran = true) })]).fire("call", "before", WRITE, {
      signal: AbortSignal.abort(),
    })
    expect(ran).toBe(false)
    expect(verdict.refusal?.code).toBe("cancelled")
  })

  test("hooks get no more time than is left of the operation's", async () => {
    const verdict = await engineOf([hook("slow", { effect: "advise", fn: () => new Promise(() => {}) })]).fire(
      "call",
      "before",
      WRITE,
      { timeoutMs: 30 },
    )
    expect(hookFrames(verdict)[0]?.failed?.kind).toBe("timeout")
  })
})

describe("frames as they happen", () => {
  test("frames reach onFrame in the order of the verdict's frames", async () => {
    const told: Frame[] = []
    const verdict = await engineOf([
      hook("a", { effect: "advise", rule: { advise: "1" } }),
      hook("b", { effect: "apply", rule: { apply: { merge: { path: "b" } } } }),
    ]).fire("call", "before", WRITE, { onFrame: (frame) => told.push(frame) })
    expect(told).toEqual(verdict.frames)
    expect(told).toHaveLength(3)
  })

  test("an open question is told at once, and the frame of the hook that asked follows with the answer", async () => {
    const told: string[] = []
    const asked = gate()
    const engine = engineOf(
      [
        hook("before", { effect: "advise", rule: { advise: "x" } }),
        hook("asks", { effect: "ask", rule: { ask: "sure?" } }),
      ],
      {
        ask: async () => {
          asked.open()
          return ["yes"]
        },
      },
    )
    const firing = engine.fire("call", "before", WRITE, {
      onFrame: (frame) =>
        told.push(frame.type === "hook" ? `${frame.hook}${frame.ask?.answer ? " yes" : ""}` : frame.type),
    })
    await asked.passed
    expect(told).toEqual(["before", "ask"])
    const verdict = await firing
    expect(told.slice(0, 3)).toEqual(["before", "ask", "asks yes"])
    expect(verdict.outcome).toBe("continue")
  })

  test("an asker that fails is no answer, and no answer refuses", async () => {
    const engine = engineOf([hook("asks", { effect: "ask", rule: { ask: "sure?" } })], {
      ask: () => Promise.reject(new Error("nobody home")),
    })
    expect(await engine.fire("call", "before", WRITE)).toMatchObject({
      outcome: "refuse",
      refusal: { code: "unanswered" },
    })
  })

  test("a question's own time limit refuses when it is over", async () => {
    const engine = engineOf([hook("asks", { effect: "ask", rule: { ask: { question: "sure?", timeoutMs: 30 } } })], {
      ask: () => new Promise(() => {}),
    })
    expect((await engine.fire("call", "before", WRITE)).refusal?.code).toBe("unanswered")
  })
})

describe("unknown names", () => {
  test("an unknown point, phase or level is an error that names it, never a silent default", async () => {
    const engine = engineOf([])
    await expect(engine.fire("cal", "before", WRITE)).rejects.toThrow("unknown point `cal`")
    await expect(engine.fire("call", "prefix", WRITE)).rejects.toThrow("does not fire `prefix`")
    await expect(engine.fire("call", "before", WRITE, { autonomy: "max" as never })).rejects.toThrow(
      "unknown level `max`",
    )
    await expect(engine.fire("call", "before", WRITE, { host: "high" as never })).rejects.toThrow(
      "unknown level `high`",
    )
  })
})

describe("events that are none", () => {
  test.each([
    [null, "must be an object"],
    [[], "must be an object"],
    [{ tool: "x" }, "needs `server`"],
    [{ server: "x", tool: 7 }, "needs `tool`"],
  ])("%j is an error that says what it lacks", async (event, message) => {
    await expect(engineOf([]).fire("call", "before", event as never)).rejects.toThrow(message)
  })

  test("a refused operation's onError is not retried, fired on its own either", async () => {
    const engine = engineOf([hook("again", { phase: "onError", rule: { run: { retry: true } } })])
    const verdict = await engine.fire("call", "onError", { ...WRITE, error: { code: "refused", message: "no" } })
    expect(verdict.outcome).toBe("continue")
    expect(hookFrames(verdict)[0]?.dropped).toMatchObject([{ key: "run", by: ["refused"] }])
  })
})
