import { describe, expect, it } from "vitest"
import { answerOf, outputOf } from "../../../dialects/vix/verdict.ts"
import type { Verdict } from "../../../frames/frames.ts"

const verdict = (more: object = {}): Verdict =>
  ({ outcome: "continue", input: { a: 1 }, advice: [], proposals: [], questions: [], frames: [], ...more }) as Verdict
const answer = (more: object) => answerOf("PreToolUse", { args: { a: 1 } }, verdict(more)).decision

describe("a verdict as vix reads it", () => {
  it.each([
    ["nothing said allows", {}, { behavior: "allow" }],
    [
      "advice is context",
      {
        advice: [
          { hook: "h", text: "x" },
          { hook: "i", text: "y" },
        ],
      },
      { behavior: "context", context: "x\ny" },
    ],
    [
      "a refusal denies",
      { outcome: "refuse", refusal: { hook: "h", reason: "no" } },
      { behavior: "deny", reason: "no" },
    ],
    ["a rewrite modifies", { input: { a: 2 } }, { behavior: "modify", input: { a: 2 } }],
    [
      "a question that nobody can be asked denies",
      { outcome: "ask", questions: [{ hook: "h", question: "sure?" }] },
      { behavior: "deny", reason: "sure? (denied: vix can put no question here)" },
    ],
    [
      "an answer in the call's place denies, with the answer",
      { outcome: "answer", result: "cached" },
      { behavior: "deny", reason: 'nothing is sent: a hook has answered in its place: "cached"' },
    ],
    [
      "a proposal is context",
      { proposals: [{ hook: "h", note: "try b" }] },
      { behavior: "context", context: '`h` proposes: {"note":"try b"}' },
    ],
    [
      "a replaced `_meta` denies",
      { frames: [{ type: "hook", hook: "h", originalMeta: null }] },
      { behavior: "deny", reason: "a hook replaced the call's `_meta`, which vix cannot carry" },
    ],
  ])("%s", (_, more, decision) => {
    expect(answer(more)).toEqual(decision)
  })

  it("rewrites a prompt by its text", () => {
    expect(answerOf("UserPromptSubmit", { prompt: "a" }, verdict({ input: "b" })).decision).toEqual({
      behavior: "modify",
      input: { prompt: "b" },
    })
  })

  it("says what was lost on the way", () => {
    const frames = [
      { type: "hook", hook: "h", dropped: [{ key: "apply", level: "apply", allowed: "advise", by: ["host"] }] },
      { type: "hook", hook: "i", failed: { kind: "timeout", message: "too slow" }, notes: ["note"] },
      { type: "start" },
    ]
    expect(answerOf("Stop", {}, verdict({ frames })).notices).toEqual([
      "`h`: `apply` is dropped, since vix carries `advise` here",
      "`i` failed: too slow",
      "`i`: note",
    ])
  })
})

it("a group's decision is an output of ours", () => {
  expect(outputOf({ behavior: "allow" }, "PreToolUse")).toEqual({})
  expect(outputOf({ behavior: "deny", reason: "no", context: "c" }, "PreToolUse")).toEqual({
    refuse: "no",
    advise: "c",
  })
  expect(outputOf({ behavior: "modify", input: { a: 1 } }, "PreToolUse")).toEqual({ apply: { input: { a: 1 } } })
  expect(outputOf({ behavior: "modify", input: { prompt: "b" } }, "UserPromptSubmit")).toEqual({
    apply: { input: "b" },
  })
})
