import { describe, expect, it } from "vitest"
import { readCommand, readFinalText } from "../../../dialects/vix/decision.ts"
import type { VixEventName } from "../../../dialects/vix/events.ts"

const ended = (end: { code?: number; stdout?: string; stderr?: string }, event: VixEventName = "PreToolUse") =>
  readCommand({ code: 0, stdout: "", stderr: "", ...end }, event)

describe("a command hook decides by its exit code and what it printed", () => {
  const allow = { behavior: "allow" }
  it.each([
    ["exit 0 without output allows", {}, allow],
    ["exit 0 with blank output allows", { stdout: " \r\n\t" }, allow],
    ["exit 0 with `{}` is no opinion", { stdout: "{}\n" }, allow],
    [
      "exit 0 with plain text is context",
      { stdout: "mind the gap\n" },
      { behavior: "context", context: "mind the gap" },
    ],
    ["what is on stderr of a good end says nothing", { stderr: "loading" }, allow],
    ["`allow` in JSON allows", { stdout: '{"behavior":"allow"}' }, allow],
    ["`deny` in JSON denies", { stdout: '{"behavior":"deny","reason":"no"}' }, { behavior: "deny", reason: "no" }],
    [
      "`modify` in JSON rewrites",
      { stdout: '{"behavior":"modify","input":{"a":1}}' },
      { behavior: "modify", input: { a: 1 } },
    ],
    [
      "`context` in JSON is context",
      { stdout: '{"behavior":"context","context":"n"}' },
      { behavior: "context", context: "n" },
    ],
    [
      "a decision may carry context beside it",
      { stdout: '{"behavior":"allow","context":"n"}' },
      { ...allow, context: "n" },
    ],
    [
      "a byte-order mark and CRLF are no part of a decision",
      { stdout: '\uFEFF{"behavior":"deny","reason":"no"}\r\n' },
      { behavior: "deny", reason: "no" },
    ],
    [
      "exit 2 denies with what is on stderr",
      { code: 2, stdout: "out", stderr: "why\n" },
      { behavior: "deny", reason: "why" },
    ],
    [
      "exit 2 without stderr denies with what is on stdout",
      { code: 2, stdout: "out\n" },
      { behavior: "deny", reason: "out" },
    ],
    ["exit 2 without a word denies all the same", { code: 2 }, { behavior: "deny" }],
    ["JSON that is no object is context", { stdout: "42" }, { behavior: "context", context: "42" }],
    [
      "an object without `behavior` is context",
      { stdout: '{"note":1}' },
      { behavior: "context", context: '{"note":1}' },
    ],
  ] as const)("%s", (_, end, decision) => {
    expect(ended(end)).toEqual({ decision, warnings: [] })
  })

  it.each([1, 3, 126, 127, 255])("exit %i is no decision at all", (code) => {
    expect(ended({ code, stdout: '{"behavior":"deny","reason":"no"}' })).toBeUndefined()
  })

  it.each([
    ["an unknown behavior", '{"behavior":"denny","reason":"no"}', "did you mean `deny`?"],
    ["a key written twice", '{"behavior":"deny","behavior":"allow"}', "does not stand alone"],
    ["a greeting in front of it", 'welcome back\n{"behavior":"deny"}', "does not stand alone"],
  ])("%s makes context of a decision, with a warning", (_, stdout, warning) => {
    const reading = ended({ stdout })
    expect(reading).toMatchObject({ decision: { behavior: "context", context: stdout } })
    expect(reading?.warnings.join()).toContain(warning)
  })

  it.each([
    ["`modify` without an input", '{"behavior":"modify"}', "PreToolUse", "`input`, an object"],
    ["`modify` with a list", '{"behavior":"modify","input":[]}', "PreToolUse", "`input`, an object"],
    [
      "a rewritten prompt that is no text",
      '{"behavior":"modify","input":{"prompt":1}}',
      "UserPromptSubmit",
      "`input.prompt`",
    ],
    ["a reason that is no text", '{"behavior":"deny","reason":{}}', "PreToolUse", "`reason`"],
    ["`context` without context", '{"behavior":"context"}', "PreToolUse", "`context`, a text"],
  ] as const)("%s is a failure and no decision", (_, stdout, event, problem) => {
    const reading = ended({ stdout }, event)
    expect(reading).toMatchObject({ problem: expect.stringContaining(problem) })
  })

  it("names a key of a decision that has no meaning", () => {
    expect(ended({ stdout: '{"behavior":"allow","because":"x"}' })?.warnings).toEqual([
      "the key `because` of its decision is none that vix knows",
    ])
  })
})

describe("a workflow or a prompt decides by its final text", () => {
  it.each([
    ["no text allows", " \n", { behavior: "allow" }],
    ["a JSON decision counts", '{"behavior":"deny","reason":"no"}', { behavior: "deny", reason: "no" }],
    [
      "a JSON decision in a code fence counts",
      '```json\n{"behavior":"deny","reason":"no"}\n```',
      { behavior: "deny", reason: "no" },
    ],
    [
      "a JSON decision comes before a line",
      '{"behavior":"context","context":"BLOCK: x"}',
      { behavior: "context", context: "BLOCK: x" },
    ],
    ["a line that starts with `BLOCK:` denies", "BLOCK: no secrets", { behavior: "deny", reason: "no secrets" }],
    [
      "such a line counts after other words, too",
      "I looked.\nBLOCK: no secrets\nbye",
      { behavior: "deny", reason: "no secrets" },
    ],
    ["`BLOCK:` without a reason denies", "BLOCK:", { behavior: "deny" }],
    ["`BLOCK:` within a line is text", "say BLOCK: never", { behavior: "context", context: "say BLOCK: never" }],
    ["any other text is context", "looks good", { behavior: "context", context: "looks good" }],
  ] as const)("%s", (_, text, decision) => {
    expect(readFinalText(text, "PreToolUse")).toEqual({ decision, warnings: [] })
  })
})
