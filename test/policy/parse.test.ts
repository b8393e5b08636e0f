import { describe, expect, it } from "vitest"
import { PolicyError } from "../../policy/findings.ts"
import { parsePolicy } from "../../policy/parse.ts"

const EXAMPLE = `version: 1
autonomy.max: apply               # daemon-scoped ceiling
hooks.autonomy: run               # call-scoped default, clamped by autonomy.max
ceilings:                         # lower autonomy.max where they match
  - { id: prod-freeze, if: { "==": [{ var: "caller.env" }, "prod"] }, max: ask, reason: "change freeze" }
servers:                          # MCP servers, by the name that \`server/tool\` uses
  fs: { command: ["npx", "-y", "@modelcontextprotocol/server-filesystem", "."] }
  docs: { url: "http://127.0.0.1:3001/mcp", headers: { Authorization: "env:DOCS_TOKEN" } }
model: { provider: openai, name: "…", baseUrl: "https://models.example/v1", apiKeyEnv: OPENAI_API_KEY }      # also as model.provider, …
hooks:
  - id: no-secrets
    on: call
    phase: before
    when: { kind: [write, edit], if: { glob: [{ var: "target.path" }, "**/.env*"] } }
    rule: { refuse: "Secrets are not written by agents: @target.path" }
    effect: ask
    floor: ask
    failure: closed
    timeoutMs: 5000
`

const errorOf = (run: () => unknown): PolicyError => {
  try {
    run()
  } catch (cause) {
    if (cause instanceof PolicyError) return cause
    throw cause
  }
  throw new Error("nothing was thrown")
}

describe("the example of the contract", () => {
  const policy = parsePolicy(EXAMPLE, { file: "/repo/detent.yaml" })

  it("has no findings", () => {
    expect(policy.warnings).toEqual([])
  })

  it("is read whole", () => {
    expect(policy).toMatchObject({
      version: 1,
      file: "/repo/detent.yaml",
      autonomyMax: [{ value: "apply", origin: { layer: "project", source: "/repo/detent.yaml", line: 2, column: 1 } }],
      hooksAutonomy: { value: "run" },
      ceilings: [{ id: "prod-freeze", max: "ask", reason: "change freeze", origin: { line: 5, column: 5 } }],
      model: { provider: "openai", apiKeyEnv: "OPENAI_API_KEY" },
      needsRegex: false,
    })
    expect(Object.keys(policy.servers)).toEqual(["fs", "docs"])
    expect(policy.hooks[0]).toMatchObject({
      id: "no-secrets",
      action: { kind: "rule", rule: { refuse: "Secrets are not written by agents: @target.path" } },
      base: "/repo",
      origins: [{ layer: "project", source: "/repo/detent.yaml", line: 11, column: 5 }],
    })
  })

  it("is plain data", () => {
    expect(JSON.parse(JSON.stringify(policy))).toEqual(policy)
  })
})

describe("what a hook leaves out", () => {
  const [watching, acting] = parsePolicy(`
hooks:
  - { on: call.finished, run: [logger] }
  - { on: call, phase: before, plugin: lint/check }
`).hooks

  it("is filled in", () => {
    expect(acting).toEqual({
      id: "hooks[1]",
      on: "call",
      phase: "before",
      action: { kind: "plugin", target: "lint/check" },
      effect: "advise",
      floor: "off",
      failure: "open",
      timeoutMs: 5000,
      enabled: true,
      recheck: true,
      redact: false,
      may: { retry: true, tools: [], argv: [], modules: [] },
      origins: [{ layer: "project", line: 4, column: 5 }],
    })
  })

  it("is filled in for one that observes", () => {
    expect(watching).toMatchObject({ id: "hooks[0]", phase: "observe", effect: "off", timeoutMs: 600_000 })
  })
})

describe("a mark at the start", () => {
  it("is dropped, and one inside a text stays", () => {
    const policy = parsePolicy('\ufeff{"hooks":[{"on":"call","phase":"before","rule":{"advise":"a\ufeffb"}}]}', {
      file: "p.json",
    })
    expect(policy.hooks[0]?.action).toEqual({ kind: "rule", rule: { advise: "a\ufeffb" } })
    expect(policy.hooks[0]?.origins[0]).toMatchObject({ line: 1, column: 11 })
  })

  it.each(["", "\ufeff", "  \n", "\ufeff\n# nothing\n", "---\n"])(
    "a file that holds only %j is an error that names it",
    (text) => {
      const error = errorOf(() => parsePolicy(text, { file: "hooks.yaml" }))
      expect(error.message).toMatch(/^hooks\.yaml(:1:1)?: error: the policy is empty/)
      expect(error.file).toBe("hooks.yaml")
    },
  )
})

describe("an error", () => {
  const error = errorOf(() =>
    parsePolicy(
      "hooks:\n  - { on: call, phase: suffix, rule: { refuse: x } }\n  - { on: cal, phase: before, when: { tool: { a: 1 } }, run: [x] }\n",
      {
        file: "p.yaml",
      },
    ),
  )

  it("has the place of the first error, not of an earlier warning", () => {
    expect([error.file, error.line, error.column]).toEqual(["p.yaml", 3, 45])
  })

  it("has every finding with a pointer", () => {
    expect(error.findings.map(({ severity, pointer }) => [severity, pointer])).toEqual([
      ["warning", "/hooks/0/rule/refuse"],
      ["error", "/hooks/1/when/tool"],
    ])
  })
})

it("null in a list of hooks stays where it is, and an empty list says so", () => {
  const hook = "{ on: call, phase: before, rule: { advise: x } }"
  expect(parsePolicy(`hooks: [${hook}, null]`).hooks.map((entry) => entry?.id ?? null)).toEqual(["hooks[0]", null])
  expect(parsePolicy("hooks: []").noHooks).toBe(true)
  expect(parsePolicy("version: 1").noHooks).toBeUndefined()
})

it("script lines are a text or a list, each with its place", () => {
  const { script } = parsePolicy('script.before: a()\nscript.onError: ["b()", null]\n', {
    file: "p.yaml",
    layer: "user",
  })
  expect(script).toEqual({
    before: [{ value: "a()", origin: { layer: "user", source: "p.yaml", line: 1, column: 1 } }],
    onError: [{ value: "b()", origin: { layer: "user", source: "p.yaml", line: 2, column: 18 } }, null],
  })
})

it("the model is one object, however its members are written", () => {
  expect(parsePolicy("model: { provider: openai }\nmodel.name: m\n").model).toEqual({ provider: "openai", name: "m" })
})

it("`may` permits what its names can name", () => {
  const text =
    "hooks: [{ on: call, phase: before, effect: run, run: [x], may: [retry, git, fs/*, ./fix.mjs, /usr/bin/x, '/sql\\/.*/'] }]"
  expect(parsePolicy(text).hooks[0]?.may).toEqual({
    retry: true,
    tools: ["git", "fs/*", "/sql\\/.*/"],
    argv: ["git", "./fix.mjs", "/usr/bin/x"],
    modules: ["./fix.mjs"],
  })
  expect(parsePolicy("hooks: [{ on: call, phase: before, run: [x], may: [] }]").hooks[0]?.may.retry).toBe(false)
})

it.each([
  ["a plain alternation needs no engine", "when: { tool: /a|b/ }", false],
  ["a regex of a matcher needs it", "when: { tool: '/a[bc]+/' }", true],
  ["a regex of an argument needs it", "when: { args: { x: '/a[bc]+/' } }", true],
  ["a regex of a condition needs it", 'when: { if: { matches: [{ var: tool }, "a[bc]+"] } }', true],
  ["a regex of `may` needs it", "may: ['/a[bc]+/']", true],
])("%s", (_, text, needed) => {
  expect(parsePolicy(`hooks: [{ on: call, phase: before, rule: { advise: x }, ${text} }]`).needsRegex).toBe(needed)
})

it("a workflow is read into steps", () => {
  const { action } = parsePolicy(`
hooks:
  - on: call
    phase: before
    workflow:
      entry: a
      steps:
        a: { run: [x], next: [{ id: b, if: { var: steps.a.output } }], timeoutMs: 5 }
        b: { rule: { advise: x } }
`).hooks[0]!
  expect(action).toEqual({
    kind: "workflow",
    entry: "a",
    steps: {
      a: { action: { kind: "run", argv: ["x"] }, next: [{ id: "b", if: { var: "steps.a.output" } }], timeoutMs: 5 },
      b: { action: { kind: "rule", rule: { advise: "x" } } },
    },
  })
})

it("JSON with tabs and escapes is read as JSON, with its places", () => {
  const text =
    '{\n\t"version":\t1,\n\t"hooks": [\n\t\t{"on": "call", "phase": "before", "rule": {"advise": "\\u00e9\\/\\ud83d\\ude42"}}\n\t]\n}'
  const hook = parsePolicy(text, { file: "p.json" }).hooks[0]
  expect(hook?.action).toEqual({ kind: "rule", rule: { advise: "é/🙂" } })
  expect(hook?.origins[0]).toMatchObject({ line: 4, column: 3 })
})

it("script lines may stand in a file, whose name starts in the policy's folder", () => {
  const { script } = parsePolicy("script.prefix: { file: hooks/prefix.ts }\n", { file: "conf/p.yaml" })
  expect(script.prefix).toMatchObject([{ value: "hooks/prefix.ts", file: "conf/hooks/prefix.ts" }])
})
