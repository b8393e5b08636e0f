import { existsSync, readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { DIALECTS } from "../../dialects/dialects.ts"
import { POINT_NAMES, pointRow } from "../../policy/points.ts"
import { detent, folderWith, policy, type Ran, rule } from "./capture.ts"

const RECORDED = fileURLToPath(new URL("../../fixtures/agents/", import.meta.url))

/** What a real client has sent. */
const recorded = (agent: string, name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(`${RECORDED}${agent}/${name}.json`, "utf8"))

const hook = async (
  agent: string,
  payload: unknown,
  hooks: readonly object[],
  words: readonly string[] = [],
  files: Readonly<Record<string, string>> = {},
): Promise<Ran & { readonly answer: unknown }> => {
  const cwd = folderWith({ "p.json": policy(hooks), ...files })
  const stdin = typeof payload === "string" ? payload : JSON.stringify(payload)
  const named = words.includes("--policy") ? [] : ["--policy", "p.json"]
  const ran = await detent(["hook", agent, ...named, ...words], { cwd, stdin })
  return { ...ran, answer: ran.out === "" ? undefined : JSON.parse(ran.out) }
}

const BASH = recorded("claude-code", "PreToolUse.Bash")

describe("Claude Code is answered in its own words", () => {
  const specific = (members: object) => ({ hookSpecificOutput: { hookEventName: "PreToolUse", ...members } })

  it.each<[string, object, unknown]>([
    ["no opinion is silence", {}, undefined],
    [
      "a refusal denies",
      { refuse: "no @target.command" },
      specific({ permissionDecision: "deny", permissionDecisionReason: 'no "echo hi \\u003e /project/out"' }),
    ],
    [
      "a question asks",
      { ask: "really?" },
      specific({ permissionDecision: "ask", permissionDecisionReason: "really?" }),
    ],
    [
      "a replacement stands beside no decision, which would be a grant",
      { apply: { target: { command: "ls" } } },
      specific({ updatedInput: { command: "ls", description: "write hi" } }),
    ],
    ["advice is context", { advise: ["one", "two"] }, specific({ additionalContext: "one\ntwo" })],
    [
      "a proposal is put to the user with the question",
      { propose: { input: { command: "ls" }, note: "safer" } },
      specific({
        permissionDecision: "ask",
        permissionDecisionReason: 'a hook proposes (safer): {"command":"ls"}',
        updatedInput: { command: "ls" },
      }),
    ],
    [
      "an answer in the tool's place is a refusal that says it",
      { apply: { result: "42" } },
      specific({
        permissionDecision: "deny",
        permissionDecisionReason: "nothing is sent: a hook has answered in its place: 42",
      }),
    ],
    [
      "a choice cannot be put, and is refused",
      { ask: { question: "which?", choices: ["a", "b"] } },
      specific({
        permissionDecision: "deny",
        permissionDecisionReason: "which? (refused: Claude Code can put no choice between a, b here)",
      }),
    ],
  ])("%s", async (_, output, answer) => {
    const ran = await hook("claude-code", BASH, [rule("a", output)])
    expect(ran).toMatchObject({ code: 0, answer })
  })

  it("a question about a permission is left to the host, which asks anyway", async () => {
    const asks = rule("a", { ask: "really?" }, { on: "permission" })
    const ran = await hook("claude-code", recorded("claude-code", "PermissionRequest.Bash"), [asks])
    expect(ran.answer).toEqual({ systemMessage: "really?" })
  })

  it("a result that is refused is withheld in its own shape", async () => {
    const ran = await hook("claude-code", recorded("claude-code", "PostToolUse.Bash"), [
      rule("a", { refuse: "a key" }, { phase: "onSuccess" }),
    ])
    expect(ran.answer).toEqual({
      decision: "block",
      reason: "a key",
      hookSpecificOutput: {
        hookEventName: "PostToolUse",
        updatedToolOutput: {
          stdout: "withheld: a key",
          stderr: "",
          interrupted: false,
          isImage: false,
          noOutputExpected: false,
        },
      },
    })
  })

  it("a turn that is refused goes on, and one that goes on already can be told apart", async () => {
    const tests = rule(
      "a",
      { refuse: "run the tests" },
      {
        on: "turn",
        phase: "onSuccess",
        when: { if: { "!": [{ var: "goesOn" }] } },
      },
    )
    const stop = recorded("claude-code", "Stop")
    expect((await hook("claude-code", stop, [tests])).answer).toEqual({ decision: "block", reason: "run the tests" })
    expect((await hook("claude-code", { ...stop, stop_hook_active: true }, [tests])).out).toBe("")
  })

  it("a tool of a server is named by the pair where the host says it", async () => {
    const payload = { ...recorded("claude-code", "PreToolUse.mcp__mem__read_graph"), tool_name: "mcp__a__b__c" }
    const guard = rule("a", { refuse: "no" }, { when: { server: "a__b", tool: "c" } })
    expect((await hook("claude-code", { ...payload, mcp_server: { name: "a__b" } }, [guard])).out).toContain("deny")
    const guessed = await hook("claude-code", payload, [guard])
    expect(guessed.err).toContain("`mcp__a__b__c` is taken for the tool `b__c` of the server `a`")
  })

  it("a server's tool on Copilot is named by the pair, which is cut at the last dash", async () => {
    const guard = rule("a", { refuse: "no" }, { when: { server: ["mem", "my-mem"], tool: "read_graph", kind: "mcp" } })
    const payload = recorded("copilot", "preToolUse.mem-read_graph")
    const plain = await hook("copilot", payload, [guard], ["--event", "preToolUse"])
    expect([plain.answer, plain.err]).toEqual([{ permissionDecision: "deny", permissionDecisionReason: "no" }, ""])
    const dashed = { ...payload, toolName: "my-mem-read_graph" }
    const cut = await hook("copilot", dashed, [guard], ["--event", "preToolUse"])
    expect(cut.out).toContain("deny")
    expect(cut.err).toContain("`my-mem-read_graph` is taken for the tool `read_graph` of the server `my-mem`")
    const own = await hook("copilot", { ...payload, toolName: "read_bash" }, [guard], ["--event", "preToolUse"])
    expect([own.out, own.err]).toEqual(["", ""])
  })

  it("a refused call ends as any refused operation does: onError, then suffix", async () => {
    const refused = { "==": [{ var: "error.code" }, "refused"] }
    const ran = await hook("claude-code", BASH, [
      rule("no", { refuse: "no" }),
      rule("failed", { advise: "it was refused" }, { phase: "onError", when: { if: refused } }),
      rule("ended", { advise: "and is over" }, { phase: "suffix", when: { if: refused } }),
    ])
    expect(ran.out).toContain("it was refused\\nand is over")
  })
})

describe("what a hook wanted and did not get is said, whoever lowered it", () => {
  const LS = { apply: { target: { command: "ls" } } }
  const printing = (id: string, output: object) => ({
    ...rule(id, {}, { rule: undefined }),
    run: ["printf", "%s", JSON.stringify(output)],
  })
  const under = (more: object, hooks: readonly object[], words: readonly string[] = []) =>
    hook("claude-code", BASH, [], ["--policy", "q.json", ...words], { "q.json": policy(hooks, more) })

  it.each<[string, object, object, string]>([
    ["its own effect", {}, rule("a", LS, { effect: "ask" }), "its effect is `ask`"],
    ["the daemon's ceiling", { "autonomy.max": "ask" }, rule("a", LS), "since autonomy.max (q.json:1) is lower"],
    [
      "a ceiling of the policy",
      { ceilings: [{ id: "freeze", max: "ask", reason: "change freeze" }] },
      rule("a", LS),
      "since `freeze` of ceilings (q.json:1) is lower: change freeze",
    ],
    ["the caller's level", { "hooks.autonomy": "ask" }, rule("a", LS), "since hooks.autonomy (q.json:1) is lower"],
    ["no key of an output", {}, printing("a", { advise: "x", refus: "typo" }), "no output has such a key"],
    ["a stronger key", {}, printing("a", { ask: "sure?", ...LS }), "it lost to a stronger key"],
    [
      "what it may run",
      {},
      rule("a", { run: { argv: ["touch", "x"] } }, { may: ["retry"] }),
      "its `may` does not name it",
    ],
  ])("%s", async (_, more, one, why) => {
    const { err, answer } = await under(more, [one])
    const { systemMessage } = answer as { systemMessage: string }
    expect(systemMessage).toContain(why)
    expect(err).toContain(`detent: ${systemMessage}`)
  })

  it("a hook that was lowered to nothing did not run", async () => {
    const { answer } = await under({ "autonomy.max": "off" }, [rule("a", { refuse: "no" }, { effect: "ask" })])
    expect(answer).toEqual({
      systemMessage: expect.stringContaining("`a` did not run: lowered from `ask` to `off` by autonomy.max (q.json:1)"),
    })
  })

  it("a hook that was lowered and lost nothing is told of on stderr alone", async () => {
    const { err, out } = await under({ "autonomy.max": "ask" }, [rule("a", {})])
    expect(out).toBe("")
    expect(err).toContain("detent: `a` is lowered from `run` to `ask` by autonomy.max (q.json:1)")
  })
})

describe("elicit.confirmDestructive stands before an agent's calls, too", () => {
  const gate = (agent: string, payload: object, servers: object = {}) =>
    hook(agent, payload, [], ["--policy", "gate.json"], {
      "gate.json": policy([], { "elicit.confirmDestructive": true, servers }),
    })
  const question = (name: string) => `\`${name}\` may destroy something: go on?`
  const MCP = recorded("claude-code", "PreToolUse.mcp__mem__read_graph")

  it.each([
    ["a shell", BASH, "claude-code/Bash"],
    ["a tool that writes", recorded("claude-code", "PreToolUse.Write"), "claude-code/Write"],
    ["a server's tool without annotations", MCP, "mem/read_graph"],
    ["a tool that nobody knows", { ...BASH, tool_name: "OfTomorrow" }, "claude-code/OfTomorrow"],
  ])("%s is asked about where the agent can ask", async (_, payload, name) => {
    expect((await gate("claude-code", payload)).answer).toMatchObject({
      hookSpecificOutput: { permissionDecision: "ask", permissionDecisionReason: question(name) },
    })
  })

  it("where the agent cannot ask it is refused", async () => {
    const { answer } = await gate("codex", recorded("codex", "PreToolUse.Bash"))
    expect(answer).toMatchObject({ hookSpecificOutput: { permissionDecision: "deny" } })
  })

  it("a tool that reads, searches or fetches is not asked about", async () => {
    const web = { ...BASH, tool_name: "WebFetch", tool_input: { url: "https://example.org", prompt: "x" } }
    for (const payload of [recorded("claude-code", "PreToolUse.Read"), { ...BASH, tool_name: "Grep" }, web]) {
      expect((await gate("claude-code", payload)).out).toBe("")
    }
  })

  it("the operator's annotations count, of an agent's tools and of servers that only the agent reaches", async () => {
    const mild = { mem: { annotations: { read_graph: { readOnlyHint: true } } } }
    expect((await gate("claude-code", MCP, mild)).out).toBe("")
    const harsh = { "claude-code": { annotations: { Read: { readOnlyHint: false } } } }
    expect((await gate("claude-code", recorded("claude-code", "PreToolUse.Read"), harsh)).out).toContain("ask")
  })
})

describe("where Detent itself fails", () => {
  const guard = [rule("a", {})]

  it.each<[string, unknown, readonly string[]]>([
    ["a payload that is no JSON", "{", []],
    ["a payload that is no object", "[]", []],
    ["an empty payload", "", []],
    ["a payload of nobody", {}, []],
    ["a payload without its tool", { ...BASH, tool_name: undefined }, []],
    ["a payload with a key written twice", `{"session_id":"a","session_id":"b"}`, []],
    ["a wrong flag", BASH, ["--polcy", "x"]],
    ["an unknown agent's flag value", BASH, ["--on-failure", "maybe"]],
  ])(
    "%s is refused in the form that every host takes: 2, a reason, and nothing on stdout",
    async (_, payload, words) => {
      const ran = await hook("claude-code", payload, guard, words)
      expect(ran).toMatchObject({ code: 2, out: "" })
      expect(ran.err).toMatch(/\S/)
    },
  )

  it("a bad policy refuses in the host's own words", async () => {
    const ran = await hook("claude-code", BASH, [{ on: "cal", phase: "before", rule: {} }])
    expect(ran.code).toBe(0)
    expect(ran.out).toContain('"permissionDecision":"deny"')
    expect(ran.err).toContain("unknown point `cal`")
  })

  it("and is open, it goes on, and the user is told", async () => {
    const open = ["--on-failure", "open"]
    const bad = await hook("claude-code", BASH, [{ on: "cal", phase: "before", rule: {} }], open)
    expect(bad).toMatchObject({ code: 0, answer: { systemMessage: expect.stringContaining("Detent failed") } })
    expect(await hook("claude-code", "{", guard, open)).toMatchObject({ code: 0, out: "" })
  })

  it("the end of a turn is not refused: the agent would go on and on", async () => {
    const ran = await hook("claude-code", recorded("claude-code", "Stop"), [{ on: "cal", phase: "before", rule: {} }])
    expect(ran.out).not.toContain("block")
    expect(ran.out).toContain("systemMessage")
  })
})

describe("whatever a client has sent", () => {
  // opencode's are what its plugins get: test/dialects/opencode.test.ts.
  const clients = Object.keys(DIALECTS).filter((agent) => agent !== "opencode" && existsSync(`${RECORDED}${agent}`))
  const all = clients.flatMap((agent) =>
    readdirSync(`${RECORDED}${agent}`).map((file) => [agent, file.replace(/\.json$/, "")] as const),
  )

  it.each(all)("%s %s is understood, or passed on and said", async (agent, name) => {
    const named = agent === "copilot" ? ["--event", name.split(".")[0]!] : []
    const ran = await hook(agent, recorded(agent, name), [], named)
    expect(ran).toMatchObject({ code: 0, out: "" })
    if (ran.err !== "") expect(ran.err).toMatch(/^detent: no hook can be on `[\w.]+` of .*agent\.event`\n$/)
  })
})

it("every point of agents has a moment of some agent that fires it", () => {
  const fired = new Set(Object.values(DIALECTS).flatMap(({ moments }) => Object.values(moments).map(({ on }) => on)))
  for (const point of POINT_NAMES) if ("host" in pointRow(point).fields) expect(fired).toContain(point)
})
