import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { promptFiles } from "../../policy/file.ts"
import { type Finding, PolicyError } from "../../policy/findings.ts"
import { parsePolicy } from "../../policy/parse.ts"
import { readPromptFile } from "../../policy/prompt-file.ts"

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "detent-prompt-files-"))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What is found in a policy with these files beside it. */
function findings(policy: string, files: Readonly<Record<string, string>> = {}): readonly Finding[] {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  try {
    return parsePolicy(policy, { file: "p.yaml", base: folder, promptFiles }).warnings
  } catch (cause) {
    if (!(cause instanceof PolicyError)) throw cause
    return cause.findings
  }
}

const hook = (prompt: string, more = ""): string =>
  `hooks:\n  - id: judge\n    on: call\n    phase: before\n    effect: ask\n${more}    prompt: ${prompt}\n`

const place = ({ file, line, column }: Finding) => `${file}:${line}:${column}`
const RAW = "a raw tag pastes a value as it is, and no value may be pasted"
const DELIMITERS = "a template's delimiters stay `{{` and `}}`"

describe("a raw tag or another delimiter in a policy", () => {
  it.each([
    ["in a plain text", hook("a {{{args}}}"), RAW, "p.yaml:6:15"],
    ["in quotes", hook('"a {{&args}}"'), RAW, "p.yaml:6:16"],
    ["in lines", hook("|\n      first\n      then {{{args}}}"), RAW, "p.yaml:8:12"],
    ["in an object", hook("\n      text: |\n        a\n        b {{&args}}"), RAW, "p.yaml:9:11"],
    ["in a system message", hook("\n      text: x\n      system: be {{{args}}}"), RAW, "p.yaml:8:18"],
    ["in a partial", hook('\n      text: "{{> p}}"\n      partials:\n        p: so {{{args}}}'), RAW, "p.yaml:9:15"],
    ["as delimiters", hook('"x {{=<% %>=}}"'), DELIMITERS, "p.yaml:6:16"],
    ["in the second of two", hook('"{{args}} {{{args}}}"'), RAW, "p.yaml:6:23"],
  ])("is an error with line and column: %s", (_, policy, message, where) => {
    const [first, ...more] = findings(policy)
    expect(first).toMatchObject({ severity: "error", message })
    expect(place(first!)).toBe(where)
    expect(more).toEqual([])
  })

  it("is an error in a step of a workflow, too", () => {
    const steps = "      entry: a\n      steps:\n        a:\n          prompt: a {{{args}}}\n"
    const [first] = findings(hook("x").replace(/ {4}prompt: x\n/, `    workflow:\n${steps}`))
    expect([first?.message, place(first!)]).toEqual([RAW, "p.yaml:10:21"])
  })
})

describe("a raw tag or another delimiter in a prompt's file", () => {
  const front = "---\nmodel: m\n---\n"
  it.each([
    ["without front matter", "Judge\n  {{{args}}}\n", RAW, "a.md:2:3"],
    ["behind front matter", `${front}\nJudge {{&args}}`, RAW, "a.md:5:7"],
    ["behind a mark and CRLF", "\ufeff---\r\nmodel: m\r\n---\r\nJudge {{{args}}}", RAW, "a.md:4:7"],
    ["as delimiters", `${front}x {{=<% %>=}}`, DELIMITERS, "a.md:4:3"],
    ["in its system message", "---\nsystem: |\n  Be\n  so {{{args}}}\n---\nx", RAW, "a.md:4:6"],
    ["in its own partial", '---\npartials:\n  p: "so {{{args}}}"\n---\n{{> p}}', RAW, "a.md:3:10"],
    ["in a tag that is not closed", "x\ny {{#args}}", 'the tags do not match: unclosed section "args"', "a.md:2:12"],
  ])("is an error with line and column: %s", (_, text, message, where) => {
    const [first, ...more] = findings(hook("{ file: a.md }"), { "a.md": text })
    expect(first).toMatchObject({ severity: "error", message, pointer: "/hooks/0/prompt" })
    expect(place(first!)).toBe(where)
    expect(more).toEqual([])
  })

  it("is an error in a partial's file, which starts where the prompt's file is", () => {
    const text = "---\npartials: { p: { file: ../parts/p.md } }\n---\n{{> p}}"
    const files = { "prompts/a.md": text, "parts/p.md": "fine\n\n {{{args}}}" }
    const [first] = findings(hook("{ file: prompts/a.md }"), files)
    expect([first?.message, place(first!)]).toEqual([RAW, "../parts/p.md:3:2"])
  })
})

describe("a name in a prompt", () => {
  it("that no event of the point has is an error; that no event has at all is a warning", () => {
    const found = findings(hook('"@result, @nobody, {{nothing}}, {{#args}}{{anything}}{{/args}} and @tool"'))
    expect(found.map(({ severity, message }) => [severity, message])).toEqual([
      ["error", "the text holds `@result`, which an event of `call` does not have in the phase `before`"],
      ["warning", "`@nobody` stands for nothing here and stays as it is written"],
      ["warning", "no event has `nothing`, so `{{nothing}}` is always null"],
    ])
  })

  it("is told in the file that it stands in", () => {
    const found = findings(hook("{ file: a.md }"), { "a.md": "Judge\n@tol and {{argz}}" })
    expect(found.map((one) => [place(one), one.hint])).toEqual([
      ["a.md:2:1", "did you mean `@tool`?"],
      ["a.md:2:10", "did you mean `args`?"],
    ])
  })

  it("may be what came of the steps before, in a workflow's step and nowhere else", () => {
    const steps =
      "      entry: a\n      steps:\n        a: { prompt: x, next: [{ id: b }] }\n" +
      '        b: { prompt: "@steps.a.output {{steps.a}}", next: [{ id: c }] }\n' +
      '        c: { rule: { advise: "@steps.b.output" } }\n'
    expect(findings(hook("x").replace(/ {4}prompt: x\n/, `    workflow:\n${steps}`))).toEqual([])
    expect(findings(hook('"@steps.a {{steps}}"'))).toHaveLength(2)
  })
})

describe("a prompt", () => {
  it.each([
    ["that says nothing", "{ model: m }", {}, "the prompt says nothing"],
    ["that is said twice", "{ text: x, file: a.md }", { "a.md": "x" }, "the prompt is said twice: text, file"],
    ["whose file is not there", "{ file: gone.md }", {}, "the prompt `gone.md` is not there"],
    ["whose file is a folder", "{ file: . }", {}, "the prompt `.` cannot be read (EISDIR)"],
    ["whose file is empty", "{ file: a.md }", { "a.md": " \n" }, "the prompt is empty"],
    [
      "whose front matter has no end",
      "{ file: a.md }",
      { "a.md": "---\nmodel: m\n" },
      "the front matter is not closed",
    ],
    [
      "whose partial is not there",
      "{ text: '{{> p}}', partials: { p: { file: no.md } } }",
      {},
      "the prompt `no.md` is not there",
    ],
    ["that names a partial that nobody gives", "'{{> p}}'", {}, "there is no partial `p`"],
    ["of nothing", "''", {}, "`hooks[0].prompt` must not be empty"],
    ["that is a number", "7", {}, "must be a text, or an object with `text`, `file` or `library`"],
    ["with an unknown key", "{ text: x, temprature: 1 }", {}, "unknown key `temprature` in `hooks[0].prompt`"],
  ])("%s is an error", (_, prompt, files, message) => {
    const [first] = findings(hook(prompt), files)
    expect(first?.severity).toBe("error")
    expect(first?.message).toContain(message)
  })

  it.each([
    ["of unknown keys", "modell: m", 2, "unknown key `modell`"],
    ["of values that do not fit", "model: m\ntemperature: hot", 3, "must be a number"],
    ["that is written twice", "model: m\nmodel: n", 3, "the key `model` is written twice"],
    ["that is no object", "- a", 2, "must be an object"],
    ["that is no YAML", "a: [", 3, "this is no YAML"],
  ])("has front matter as strict as a policy: %s", (_, front, line, message) => {
    const { findings: found } = readPromptFile(`---\n${front}\n---\nx`, "a.md")
    expect(found[0]).toMatchObject({ severity: "error", file: "a.md", line })
    expect(found[0]?.message).toContain(message)
    expect(found[0]?.message).not.toContain("policy")
  })

  it("has front matter only at its very start, and a body without the space around it", () => {
    expect(readPromptFile("---\nmodel: m\n---\n\n Judge\n---\nmodel: n\n---\n", "a.md")).toMatchObject({
      body: "Judge\n---\nmodel: n\n---",
      options: { model: "m" },
      findings: [],
    })
    expect(readPromptFile("\n---\nmodel: m\n---\nx", "a.md")).toMatchObject({ options: {}, findings: [] })
    expect(readPromptFile("---\n---\nx", "a.md")).toMatchObject({ body: "x", options: {}, findings: [] })
    expect(readPromptFile("---\ndescription: d\nmodel: m\n---\nx", "a.md").options).toEqual({ model: "m" })
  })
})

describe("an example", () => {
  const example = (output: string) => hook(`{ text: x, examples: [{ event: {}, output: ${output} }] }`)
  it.each([
    [
      "above the hook's effect",
      "{ apply: { input: {} } }",
      "answers with `apply`, which the hook's effect `ask` drops",
    ],
    ["with a key that is none", "{ allow: true }", "answers with the unknown key `allow`"],
    ["with a value that does not fit", "{ refuse: true }", "`refuse` has a value that does not fit the phase `before`"],
  ])("whose answer is %s is an error", (_, output, message) => {
    const [first, ...more] = findings(example(output))
    expect(first).toMatchObject({ severity: "error", line: 6 })
    expect(first?.message).toContain(message)
    expect(more).toEqual([])
  })

  it("in a file is told there", () => {
    const text = "---\nexamples:\n  - event: {}\n    output: { refuse: 1 }\n---\nx"
    expect(place(findings(hook("{ file: a.md }"), { "a.md": text })[0]!)).toBe("a.md:4:23")
  })

  it("that fits is none", () => {
    expect(findings(example("{ advise: fine, refuse: { reason: no } }"))).toEqual([])
    expect(findings(example("{}"))).toEqual([])
  })
})
