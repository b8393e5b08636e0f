import { describe, expect, test } from "vitest"
import type { JsonObject } from "../../effects/json.ts"
import { engineOf, hook, hookFrames, WRITE } from "./world.ts"

const types = (frames: readonly { type: string; phase?: string }[]) =>
  frames.map((frame) => (frame.phase ? `${frame.type}:${frame.phase}` : frame.type))

const everyPhase = ["before", "onSuccess", "onError", "suffix"] as const
const advisers = everyPhase.map((phase) => hook(phase, { phase, effect: "advise", rule: { advise: phase } }))

describe("an operation with its hooks around it", () => {
  test("success: the order of the stream", async () => {
    const verdict = await engineOf(advisers).around("call", WRITE, () => "done")
    expect(types(verdict.frames)).toEqual([
      "start",
      "hook:before",
      "call",
      "hook:onSuccess",
      "result",
      "hook:suffix",
      "end",
    ])
    expect(verdict).toMatchObject({ outcome: "continue", result: "done" })
    expect(verdict.frames.at(-1)).toMatchObject({ exitCode: 0 })
  })

  test("failure: the order of the stream", async () => {
    const verdict = await engineOf(advisers).around("call", WRITE, () => {
      throw Object.assign(new Error("disk full"), { code: "ENOSPC" })
    })
    expect(types(verdict.frames)).toEqual([
      "start",
      "hook:before",
      "call",
      "hook:onError",
      "error",
      "hook:suffix",
      "end",
    ])
    expect(verdict.error).toEqual({ code: "ENOSPC", message: "disk full" })
    expect(verdict.frames.at(-1)).toMatchObject({ exitCode: 1 })
  })

  test("a failure that a hook recovers is a success, whatever exit code the operation named", async () => {
    const recovers = hook("saves", { phase: "onError", rule: { apply: { result: "saved" } } })
    const verdict = await engineOf([recovers]).around("call", WRITE, (_, context) => {
      context.exit(7)
      throw new Error("disk full")
    })
    expect(verdict.result).toBe("saved")
    expect(verdict.frames.at(-1)).toMatchObject({ type: "end", exitCode: 0 })
  })

  test("refusal: nothing is sent, onError sees code refused, and the final frame says so", async () => {
    let sent = 0
    const seen: unknown[] = []
    const engine = engineOf([
      hook("no", { effect: "ask", rule: { refuse: { reason: "not here", code: "policy" } } }),
      hook("sees", { phase: "onError", effect: "advise", fn: (event) => void seen.push(event.error) }),
    ])
    const verdict = await engine.around("call", WRITE, () => sent++)
    expect(sent).toBe(0)
    expect(seen).toMatchObject([{ code: "refused", message: "not here", hook: "no" }])
    expect(verdict.frames.find((frame) => frame.type === "error")).toMatchObject({ error: { code: "refused" } })
    expect(verdict.frames.at(-1)).toMatchObject({ exitCode: 2 })
  })

  test("a result given for a refused operation is shown, and the outcome stays refuse", async () => {
    const engine = engineOf([
      hook("no", { effect: "ask", rule: { refuse: "no" } }),
      hook("soften", { phase: "onError", effect: "apply", rule: { apply: { result: "nothing to see" } } }),
    ])
    const verdict = await engine.around("call", WRITE, () => "sent")
    expect(verdict).toMatchObject({ outcome: "refuse", result: "nothing to see" })
    expect(verdict.error).toBeUndefined()
  })

  test("an answer sends nothing, and onSuccess sees it", async () => {
    let sent = 0
    const engine = engineOf([
      hook("answers", { effect: "apply", rule: { apply: { result: { text: "from the cache" } } } }),
      hook("marks", { phase: "onSuccess", effect: "apply", rule: { apply: { merge: { seen: true } } } }),
    ])
    const verdict = await engine.around("call", WRITE, () => sent++)
    expect(sent).toBe(0)
    expect(verdict).toMatchObject({ outcome: "answer", result: { text: "from the cache", seen: true } })
  })

  test("a refusal in onSuccess withholds the result, starts no onError, and keeps only a hash", async () => {
    const engine = engineOf([
      hook("leaks", { phase: "onSuccess", effect: "ask", rule: { refuse: "secret" } }),
      hook("on-error", { phase: "onError", effect: "advise", rule: { advise: "ran" } }),
    ])
    const verdict = await engine.around("call", WRITE, () => ({ key: "SECRET1" }))
    expect(verdict.outcome).toBe("refuse")
    expect(hookFrames(verdict).map((frame) => frame.hook)).toEqual(["leaks"])
    expect(hookFrames(verdict)[0]?.original).toMatchObject({
      bytes: 17,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(JSON.stringify(verdict)).not.toContain("SECRET1")
  })

  test("an open question is a refusal where somebody waits and nobody can be asked", async () => {
    const verdict = await engineOf([hook("asks", { effect: "ask", rule: { ask: "sure?" } })]).around(
      "call",
      WRITE,
      () => 1,
    )
    expect(verdict).toMatchObject({ outcome: "refuse", refusal: { code: "unanswered" } })
  })

  test("the call frame carries a hash of the arguments that were sent, not the arguments", async () => {
    const verdict = await engineOf([]).around("call", { ...WRITE, annotations: { destructiveHint: true } }, () => 1)
    const call = verdict.frames.find((frame) => frame.type === "call")
    expect(call).toMatchObject({ server: "fs", tool: "write_file", ok: true, destructiveHint: true })
    expect(JSON.stringify(call)).not.toContain("a.txt")
  })
})

describe("retries", () => {
  const retries = (id: string, more: JsonObject = {}) =>
    hook(id, { phase: "onError", rule: { run: { retry: true, ...more } } })

  test("a retry is a new pass through the whole before moment", async () => {
    let sent = 0
    const engine = engineOf([hook("notes", { effect: "advise", rule: { advise: "again" } }), retries("again")])
    const verdict = await engine.around("call", WRITE, () => {
      if (++sent === 1) throw new Error("flaky")
      return "ok"
    })
    expect(sent).toBe(2)
    expect(verdict.advice).toHaveLength(2)
    expect(verdict.result).toBe("ok")
  })

  test("one a hook and three an operation, and what is over the limit is reported", async () => {
    let sent = 0
    const engine = engineOf(["a", "b", "c", "d"].map((id) => retries(id)))
    const verdict = await engine.around("call", WRITE, () => {
      sent++
      throw new Error("always")
    })
    expect(sent).toBe(4)
    const last = hookFrames(verdict).slice(-4)
    expect(last.map((frame) => frame.dropped?.[0]?.by)).toEqual([["may"], ["may"], ["may"], ["may"]])
  })

  test("a retry with another input sends that input", async () => {
    const inputs: unknown[] = []
    const engine = engineOf([hook("fix", { phase: "onError", rule: { run: { retry: { input: { path: "b.txt" } } } } })])
    await engine.around("call", WRITE, (input) => {
      inputs.push(input)
      if (inputs.length === 1) throw new Error("bad path")
      return "ok"
    })
    expect(inputs).toEqual([WRITE.args, { path: "b.txt" }])
  })

  test("a refused operation is never retried", async () => {
    let sent = 0
    const engine = engineOf([hook("no", { effect: "ask", rule: { refuse: "no" } }), retries("again")])
    const verdict = await engine.around("call", WRITE, () => sent++)
    expect(sent).toBe(0)
    expect(hookFrames(verdict).at(-1)?.dropped).toEqual([{ key: "run", level: "run", allowed: "run", by: ["refused"] }])
  })
})

describe("calls made by hooks", () => {
  const spawn = (id: string, tool: string) =>
    hook(id, {
      when: { tool: "outer" },
      may: { retry: false, tools: ["**"], argv: [], modules: [] },
      rule: { run: { call: { tool } } },
    })

  test("they pass before themselves, and a refusal there is told where the hook ran", async () => {
    let sent = 0
    const engine = engineOf(
      [
        spawn("calls", "sql/query"),
        hook("guard", { when: { server: "sql" }, effect: "ask", rule: { refuse: "no sql" } }),
      ],
      { call: async () => sent++ },
    )
    const verdict = await engine.around("call", { server: "x", tool: "outer", args: {} }, () => "ok")
    expect(sent).toBe(0)
    const frame = hookFrames(verdict).find(({ hook }) => hook === "calls")
    expect(frame?.ran).toMatchObject([
      { what: "call", name: "sql/query", ok: false, error: { code: "refused", message: "no sql" } },
    ])
    expect(hookFrames(verdict).map(({ hook }) => hook)).toEqual(["guard", "calls"])
  })

  test("a hook that calls what it hooks is skipped on its own stack, rules apart", async () => {
    const engine = engineOf(
      [
        hook("calls", {
          fn: async (_, context) => {
            await context.call("x", "inner", {})
            return {}
          },
        }),
        hook("rule", { effect: "advise", rule: { advise: "always" } }),
      ],
      { call: async () => "inner result" },
    )
    const verdict = await engine.around("call", { server: "x", tool: "outer", args: {} }, () => "ok")
    const told = hookFrames(verdict).map(({ hook, skipped }) => `${hook}${skipped ? ` ${skipped}` : ""}`)
    expect(told).toEqual(["calls recursion", "rule", "calls", "rule"])
  })

  test("where no server can be reached the hook is told, and nothing is lost", async () => {
    const verdict = await engineOf([spawn("calls", "sql/query")]).around(
      "call",
      { server: "x", tool: "outer", args: {} },
      () => 1,
    )
    expect(hookFrames(verdict)[0]?.ran).toMatchObject([{ ok: false, error: { code: "unavailable" } }])
  })
})

test("an answer that a later hook refuses is never shown", async () => {
  const engine = engineOf([
    hook("answers", { effect: "apply", rule: { apply: { result: "cached" } } }),
    hook("no", { effect: "ask", rule: { refuse: "no" } }),
  ])
  const verdict = await engine.around("call", WRITE, () => "sent")
  expect(verdict).toMatchObject({ outcome: "refuse", error: { code: "refused" } })
  expect(verdict.result).toBeUndefined()
})

describe("nothing is lost on the way", () => {
  test("a no in onSuccess withholds the result and keeps its hash", async () => {
    const engine = engineOf([hook("asks", { phase: "onSuccess", effect: "ask", rule: { ask: "show it?" } })], {
      ask: async () => ["no"],
    })
    const verdict = await engine.around("call", WRITE, () => "SECRET1")
    expect(hookFrames(verdict)[0]?.original).toMatchObject({ bytes: 9 })
    expect(JSON.stringify(verdict)).not.toContain("SECRET1")
  })

  test("and a yes shows it, with no hash", async () => {
    const engine = engineOf([hook("asks", { phase: "onSuccess", effect: "ask", rule: { ask: "show it?" } })], {
      ask: async () => ["yes"],
    })
    const verdict = await engine.around("call", WRITE, () => "SECRET1")
    expect(verdict.result).toBe("SECRET1")
    expect(hookFrames(verdict)[0]).not.toHaveProperty("original")
  })

  test("where nobody can be asked, the hash is in the refusal", async () => {
    const engine = engineOf([hook("asks", { phase: "onSuccess", effect: "ask", rule: { ask: "show it?" } })])
    const verdict = await engine.around("call", WRITE, () => "SECRET1")
    expect(verdict.refusal?.data).toMatchObject({ original: { bytes: 9 } })
    expect(JSON.stringify(verdict)).not.toContain("SECRET1")
  })

  test("a replaced meta is shown beside the arguments", async () => {
    const engine = engineOf([
      hook("marks", { effect: "apply", rule: { apply: { input: WRITE.args, meta: { trace: "b" } } } }),
    ])
    const verdict = await engine.fire("call", "before", { ...WRITE, meta: { trace: "a" } })
    expect(hookFrames(verdict)[0]).toMatchObject({ changed: true, original: WRITE.args, originalMeta: { trace: "a" } })
  })

  test("a refusal undoes a retry that was asked for before it, and says so", async () => {
    let sent = 0
    const engine = engineOf([
      hook("again", { phase: "onError", rule: { run: { retry: true } } }),
      hook("no", { phase: "onError", effect: "ask", rule: { refuse: "enough" } }),
    ])
    const verdict = await engine.around("call", WRITE, () => {
      sent++
      throw new Error("down")
    })
    expect(sent).toBe(1)
    expect(verdict.outcome).toBe("refuse")
    expect(hookFrames(verdict)[1]?.notes).toEqual(["the retry that was asked for before is dropped"])
  })

  test("a hook's answer is not shown while another hook's question is open", async () => {
    const engine = engineOf([
      hook("answers", { effect: "apply", rule: { apply: { result: "cached" } } }),
      hook("asks", { effect: "ask", rule: { ask: "sure?" } }),
    ])
    const verdict = await engine.fire("call", "before", WRITE)
    expect(verdict.outcome).toBe("ask")
    expect(verdict).not.toHaveProperty("result")
  })
})

test("arguments that nest without end are no event: nothing is sent", async () => {
  const round: Record<string, unknown> = {}
  round.again = [round]
  let sent = false
  const sending = engineOf([]).around("call", { ...WRITE, args: round }, () => (sent = true))
  await expect(sending).rejects.toThrow("nested more than 256 levels deep")
  expect(sent).toBe(false)
})
