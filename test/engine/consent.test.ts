import { describe, expect, test } from "vitest"
import type { Ports } from "../../engine/ports.ts"
import type { Policy } from "../../policy/policy.ts"
import { EMPTY, engineOf, hook, WRITE } from "./world.ts"

const POLICY: Policy = {
  ...EMPTY,
  values: { "elicit.confirmDestructive": { value: true, origin: { layer: "flags" } } },
  hooks: [],
}
const QUESTION = "`fs/write_file` may destroy something: go on?"

/** One call under the gate: what came of it, what was asked, and how often it was sent. */
async function called(
  event: { readonly annotations?: Record<string, unknown> },
  { policy = POLICY, ...ports }: Partial<Ports> & { readonly policy?: Policy } = {},
) {
  let sent = 0
  const asked: string[] = []
  const ask = ports.ask
  const spying: Partial<Ports> = ask
    ? {
        ask: (open) => {
          asked.push(...open.questions.map(({ question }) => question))
          return ask(open)
        },
      }
    : {}
  const engine = engineOf([], { ...ports, ...spying }, { policy })
  const verdict = await engine.around("call", { ...WRITE, ...event }, () => {
    sent++
    return "done"
  })
  return { verdict, asked, sent }
}

const yes: Partial<Ports> = { ask: async () => ["yes"] }

describe("elicit.confirmDestructive", () => {
  test("a call whose annotations say nothing is destructive, and is asked about", async () => {
    const { verdict, asked, sent } = await called({}, yes)
    expect(asked).toEqual([QUESTION])
    expect([verdict.outcome, sent]).toEqual(["continue", 1])
    expect(verdict.frames.map(({ type }) => type)).toEqual(["start", "ask", "call", "result", "end"])
  })

  test.each([{ readOnlyHint: true }, { destructiveHint: false }])("%j is not asked about", async (annotations) => {
    const { asked, sent } = await called({ annotations }, yes)
    expect([asked, sent]).toEqual([[], 1])
  })

  test("nobody to ask is a refusal, and nothing is sent", async () => {
    const { verdict, sent } = await called({ annotations: { destructiveHint: true } })
    expect(verdict.refusal).toEqual({
      hook: "elicit.confirmDestructive",
      reason: `nobody can be asked here: ${QUESTION}`,
      code: "unanswered",
    })
    expect(sent).toBe(0)
  })

  test.each([
    ["no", "denied"],
    ["", "unanswered"],
    ["perhaps", "denied"],
  ])("the answer `%s` is no consent", async (answer, code) => {
    const { verdict, sent } = await called({}, { ask: async () => [answer] })
    expect([verdict.refusal?.code, sent]).toEqual([code, 0])
  })

  test("an asker that fails is no consent", async () => {
    const { verdict } = await called({}, { ask: () => Promise.reject(new Error("gone")) })
    expect(verdict.refusal?.code).toBe("unanswered")
  })

  test("the operator's word stands over the server's, both ways", async () => {
    const saying = (hint: object) => ({ ...POLICY, servers: { fs: { annotations: { write_file: { ...hint } } } } })
    const mild = await called(
      { annotations: { destructiveHint: true } },
      { policy: saying({ destructiveHint: false }) },
    )
    const harsh = await called({ annotations: { readOnlyHint: true } }, { policy: saying({ readOnlyHint: false }) })
    expect([mild.sent, harsh.sent]).toEqual([1, 0])
  })

  test("without annotations in the event the port is asked for them", async () => {
    const { sent } = await called({}, { annotations: async () => ({ readOnlyHint: true }) })
    expect(sent).toBe(1)
  })

  test("a call that somebody else sends is asked about beside what hooks ask, in one go", async () => {
    const asking = { policy: { ...POLICY, hooks: [hook("sure", { rule: { ask: "sure?" } })] } }
    const open = await engineOf([], {}, asking).fire("call", "before", WRITE)
    expect([open.outcome, open.questions.map(({ question }) => question)]).toEqual(["ask", ["sure?", QUESTION]])
    const put: unknown[] = []
    const answering = (...answers: string[]) => ({
      ask: async ({ questions }: { questions: readonly unknown[] }) => {
        put.push(questions.length)
        return answers
      },
    })
    const agreed = await engineOf([], answering("yes", "yes"), asking).fire("call", "before", WRITE)
    const half = await engineOf([], answering("yes"), asking).fire("call", "before", WRITE)
    expect([agreed.outcome, half.outcome, half.refusal?.hook]).toEqual([
      "continue",
      "refuse",
      "elicit.confirmDestructive",
    ])
    expect(put).toEqual([2, 2])
  })

  test("what a hook refuses or answers is not asked about", async () => {
    const outcomes = [{ refuse: "no" }, { apply: { result: "42" } }].map(async (rule) => {
      const engine = engineOf([], {}, { policy: { ...POLICY, hooks: [hook("a", { rule })] } })
      return (await engine.fire("call", "before", WRITE)).outcome
    })
    expect(await Promise.all(outcomes)).toEqual(["refuse", "answer"])
  })

  test("it asks on the final input, and again before a retry", async () => {
    const inputs: unknown[] = []
    const engine = engineOf(
      [],
      {
        ask: async ({ event }) => {
          inputs.push(event.args)
          return ["yes"]
        },
      },
      {
        policy: {
          ...POLICY,
          hooks: [
            hook("rewrite", { rule: { apply: { merge: { path: "b.txt" } } } }),
            hook("again", { phase: "onError", rule: { run: { retry: true } } }),
          ],
        },
      },
    )
    await engine.around("call", WRITE, () => {
      throw new Error("busy")
    })
    const final = { path: "b.txt", content: "x" }
    expect(inputs).toEqual([final, final])
  })

  test("a call that a hook makes is asked about too", async () => {
    const asked: string[] = []
    const caller = hook("nested", {
      when: { tool: "write_file" },
      rule: { run: { call: { tool: "fs/delete", args: {} } } },
      may: { retry: false, tools: ["fs/*"], argv: [], modules: [] },
    })
    const engine = engineOf(
      [],
      {
        call: async () => "deleted",
        ask: async ({ questions }) => {
          asked.push(...questions.map(({ question }) => question))
          return ["yes"]
        },
      },
      { policy: { ...POLICY, hooks: [caller] } },
    )
    await engine.around("call", { ...WRITE, annotations: { readOnlyHint: true } }, () => "done", {
      caller: { id: "ci", scopes: ["exec"] },
    })
    expect(asked).toEqual(["`fs/delete` may destroy something: go on?"])
  })

  test("an operation's own asker goes before the engine's", async () => {
    const engine = engineOf([], { ask: async () => ["no"] }, { policy: POLICY })
    const verdict = await engine.around("call", WRITE, () => "done", { ask: async () => ["yes"] })
    expect(verdict.outcome).toBe("continue")
  })
})
