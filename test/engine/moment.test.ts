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

const PROGRAM = { kind: "run", argv: ["x"] } as const

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

  test("nothing goes on before an interrupted action has ended what it started, and what it answers then is not heard", async () => {
    const told: string[] = []
    const stops = engineOf([hook("stops", { effect: "ask", timeoutMs: 40, action: PROGRAM })], {
      actions: {
        run: {
          run: (_action, _event, { signal }) =>
            new Promise((resolve) => {
              signal.addEventListener("abort", () => {
                setTimeout(() => {
                  told.push("ended")
                  resolve({ output: { refuse: "too late" } })
                }, 60)
              })
            }),
        },
      },
    })
    const verdict = await stops.around("call", WRITE, () => told.push("sent"))
    expect(told).toEqual(["ended", "sent"])
    expect(hookFrames(verdict)[0]).toMatchObject({ failed: { kind: "timeout" }, changed: false })
  })

  test("an action that does not end when it is told to is waited for a second, a host function not at all", async () => {
    const never = () => new Promise<never>(() => {})
    const took = async (engine: ReturnType<typeof engineOf>): Promise<number> => {
      const began = performance.now()
      const verdict = await engine.fire("call", "before", WRITE)
      expect(hookFrames(verdict)[0]).toMatchObject({ failed: { kind: "timeout" } })
      return performance.now() - began
    }
    const stuck = hook("stuck", { effect: "ask", timeoutMs: 40, action: PROGRAM })
    const program = await took(engineOf([stuck], { actions: { run: { run: never } } }))
    expect(program).toBeGreaterThan(1000)
    expect(program).toBeLessThan(2000)
    expect(await took(engineOf([hook("fn", { effect: "ask", timeoutMs: 40, fn: never })]))).toBeLessThan(900)
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
    [{ server: "x", tool: 7 }, "`tool` must be a text"],
    [{ server: "x", tool: "y", arguments: {} }, "has no field `arguments`"],
    [{ server: "x", tool: "y", args: "z" }, "`args` must be an object"],
    [{ server: "x", tool: "y", kind: "Shell" }, "unknown kind `Shell`; did you mean `shell`?"],
    [{ server: "x", tool: "y", result: 1 }, "has no field `result` in the phase before"],
    [{ server: "x", tool: "y", on: "script" }, "the event says `on: script`, and is fired as `call`"],
    [{ server: "x", tool: "y", phase: "suffix" }, "the event says `phase: suffix`, and is fired as `before`"],
    [{ server: "x", tool: "y", caller: { name: "z" } }, "the caller needs an `id`"],
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

describe("a refusal stands, whatever else is said and in whatever order", () => {
  const said = {
    asks: { ask: "sure?" },
    denied: { refuse: "MARK-7 is not run here" },
    notes: { advise: "ok" },
  }
  const orders = [
    ["asks", "denied", "notes"],
    ["asks", "notes", "denied"],
    ["denied", "asks", "notes"],
    ["denied", "notes", "asks"],
    ["notes", "asks", "denied"],
    ["notes", "denied", "asks"],
  ] as const

  test.each(orders)("%s, %s, %s: nobody is asked", async (...order) => {
    // At `apply` and above hooks run one after the other, below side by side.
    for (const effect of ["ask", "apply", "run"] as const) {
      let put = 0
      const hooks = order.map((id) => hook(id, { effect, rule: said[id] }))
      const engine = engineOf(hooks, {
        ask: async ({ questions }) => {
          put++
          return questions.map(() => "yes")
        },
      })
      let sent = 0
      const verdict = await engine.around("call", WRITE, () => sent++)
      expect({ put, sent, outcome: verdict.outcome }).toEqual({ put: 0, sent: 0, outcome: "refuse" })
      expect(verdict.refusal).toEqual({ hook: "denied", reason: "MARK-7 is not run here" })
      const asked = hookFrames(verdict).find((frame) => frame.hook === "asks")
      expect(asked?.skipped === "refused" || asked?.ask?.question === "sure?").toBe(true)
    }
  })
})
