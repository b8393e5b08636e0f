import { describe, expect, it } from "vitest"
import { detent, folderWith, policy, rule } from "../cli/capture.ts"

const BASH = { command: "rm -r build", description: "clean" }
const common = { session_id: "s", transcript_path: "/t.jsonl", cwd: "/p", tool_name: "Bash", tool_input: BASH }
const at = "2026-11-30T20:46:47.847Z"

/** What each host sends before a shell command runs; Cursor's and VS Code's are written after their documentation. */
const BEFORE = {
  "claude-code": { ...common, hook_event_name: "PreToolUse", prompt_id: "p" },
  codex: { ...common, hook_event_name: "PreToolUse", turn_id: "t", model: "m" },
  gemini: { ...common, hook_event_name: "BeforeTool", timestamp: at, tool_name: "run_shell_command" },
  cursor: { ...common, hook_event_name: "preToolUse", cursor_version: "3.8", conversation_id: "c", tool_name: "Shell" },
  vscode: { ...common, hookEventName: "PreToolUse", sessionId: "s", timestamp: at, tool_name: "runInTerminal" },
  copilot: { sessionId: "s", timestamp: 1796071698858, cwd: "/p", toolName: "bash", toolArgs: BASH },
} as const

const AFTER = {
  "claude-code": {
    ...BEFORE["claude-code"],
    hook_event_name: "PostToolUse",
    tool_response: { stdout: "key", stderr: "" },
  },
  codex: { ...BEFORE.codex, hook_event_name: "PostToolUse", tool_response: "key" },
  gemini: { ...BEFORE.gemini, hook_event_name: "AfterTool", tool_response: { llmContent: "key", returnDisplay: "" } },
  cursor: { ...BEFORE.cursor, hook_event_name: "postToolUse", tool_output: "key" },
  vscode: { ...BEFORE.vscode, hookEventName: "PostToolUse", tool_response: "key" },
  copilot: { ...BEFORE.copilot, toolResult: { resultType: "success", textResultForLlm: "key" } },
} as const

type Host = keyof typeof BEFORE
const HOSTS = Object.keys(BEFORE) as Host[]

const ask = async (host: string, payload: object, output: object, phase: string, words: readonly string[] = []) => {
  const hooks = [rule("a", output, { phase })]
  const event = "toolArgs" in payload ? ["--event", phase === "before" ? "preToolUse" : "postToolUse"] : []
  const { code, out, err } = await detent(["hook", host, "--policy", "p.json", ...event, ...words], {
    cwd: folderWith({ "p.json": policy(hooks) }),
    stdin: JSON.stringify(payload),
  })
  return { code, answer: out === "" ? undefined : JSON.parse(out), err }
}

const LS = { apply: { target: { command: "ls" } } }
const lowered = (title: string) =>
  `a hook proposes (${title} cannot be trusted with a replacement here): {"command":"ls","description":"clean"}`
const pre = (members: object) => ({ hookSpecificOutput: { hookEventName: "PreToolUse", ...members } })
const claudeDeny = (reason: string) => pre({ permissionDecision: "deny", permissionDecisionReason: reason })
const dropped = (title: string) => ({
  systemMessage: `\`a\`: \`apply\` is dropped, since ${title} carries \`propose\` here`,
})
const cannotAsk = (title: string) => `sure? (refused: ${title} can put no question here)`

/** Every thing that a verdict may hold before a tool runs, on every host. */
const TABLE: Readonly<Record<string, { readonly output: object; readonly answers: Record<Host, unknown> }>> = {
  "no opinion": {
    output: {},
    answers: {
      "claude-code": undefined,
      codex: undefined,
      gemini: undefined,
      cursor: undefined,
      vscode: undefined,
      copilot: undefined,
    },
  },
  "a refusal": {
    output: { refuse: "no" },
    answers: {
      "claude-code": claudeDeny("no"),
      codex: claudeDeny("no"),
      gemini: { decision: "deny", reason: "no" },
      cursor: { permission: "deny", user_message: "no", agent_message: "no" },
      vscode: claudeDeny("no"),
      copilot: { permissionDecision: "deny", permissionDecisionReason: "no" },
    },
  },
  "a question": {
    output: { ask: "sure?" },
    answers: {
      "claude-code": pre({ permissionDecision: "ask", permissionDecisionReason: "sure?" }),
      codex: claudeDeny(cannotAsk("Codex")),
      gemini: { decision: "deny", reason: cannotAsk("Gemini CLI") },
      cursor: { permission: "deny", user_message: cannotAsk("Cursor"), agent_message: cannotAsk("Cursor") },
      vscode: pre({ permissionDecision: "ask", permissionDecisionReason: "sure?" }),
      copilot: { permissionDecision: "ask", permissionDecisionReason: "sure?" },
    },
  },
  "a replacement": {
    output: LS,
    answers: {
      "claude-code": pre({ updatedInput: { command: "ls", description: "clean" } }),
      codex: { ...claudeDeny(lowered("Codex")), ...dropped("Codex") },
      gemini: {
        hookSpecificOutput: { hookEventName: "BeforeTool", tool_input: { command: "ls", description: "clean" } },
      },
      cursor: {
        permission: "deny",
        user_message: lowered("Cursor"),
        agent_message: `${lowered("Cursor")}\n${dropped("Cursor").systemMessage}`,
      },
      vscode: {
        ...pre({ permissionDecision: "deny", permissionDecisionReason: lowered("VS Code") }),
        ...dropped("VS Code"),
      },
      copilot: { permissionDecision: "deny", permissionDecisionReason: lowered("Copilot") },
    },
  },
  advice: {
    output: { advise: "mind the build" },
    answers: {
      "claude-code": pre({ additionalContext: "mind the build" }),
      codex: pre({ additionalContext: "mind the build" }),
      gemini: { systemMessage: "mind the build" },
      cursor: { agent_message: "mind the build" },
      vscode: pre({ additionalContext: "mind the build" }),
      copilot: undefined,
    },
  },
}

const cases = Object.entries(TABLE).flatMap(([what, { output, answers }]) =>
  HOSTS.map((host) => [what, host, output, answers[host]] as const),
)

describe("before a tool runs", () => {
  it.each(cases)("%s on %s", async (_, host, output, answer) => {
    expect(await ask(host, BEFORE[host], output, "before")).toMatchObject({ code: 0, answer })
  })

  it("advice that a host has no place for is said on stderr", async () => {
    expect((await ask("copilot", BEFORE.copilot, { advise: "mind the build" }, "before")).err).toBe("mind the build\n")
  })

  it.each<[Host, unknown]>([
    ["codex", pre({ permissionDecision: "allow", updatedInput: { command: "ls", description: "clean" } })],
    ["cursor", { permission: "allow", updated_input: { command: "ls", description: "clean" } }],
    ["vscode", pre({ updatedInput: { command: "ls", description: "clean" } })],
    ["copilot", { permissionDecision: "allow", modifiedArgs: { command: "ls", description: "clean" } }],
  ])("a replacement on %s is carried where the operator has opted in", async (host, answer) => {
    expect((await ask(host, BEFORE[host], LS, "before", ["--rewrite-grants"])).answer).toEqual(answer)
  })

  it("a replacement that takes an argument away is refused by Gemini, which merges", async () => {
    const { answer } = await ask("gemini", BEFORE.gemini, { apply: { input: { command: "ls" } } }, "before")
    expect(answer).toEqual({
      decision: "deny",
      reason: 'a hook takes the argument `description` away, which Gemini CLI cannot: {"command":"ls"}',
    })
  })

  it("a target that the tool has no place for is a hook's bad output, and the user is told", async () => {
    const { answer } = await ask("claude-code", BEFORE["claude-code"], { apply: { target: { url: "x" } } }, "before")
    expect(answer.systemMessage).toContain("`a` failed: the output is not one JSON object")
    expect(answer.hookSpecificOutput).toBeUndefined()
  })

  it.each(HOSTS)("nothing on %s says `allow` of itself", async (host) => {
    for (const { output } of Object.values(TABLE)) {
      const { answer } = await ask(host, BEFORE[host], output, "before")
      expect(JSON.stringify(answer ?? {})).not.toMatch(/allow|approve/)
    }
  })
})

describe("after a tool has run, a result that is refused", () => {
  const withheld = "withheld: a key"
  it.each<[Host, unknown]>([
    [
      "claude-code",
      {
        decision: "block",
        reason: "a key",
        hookSpecificOutput: { hookEventName: "PostToolUse", updatedToolOutput: { stdout: withheld, stderr: "" } },
      },
    ],
    ["codex", { decision: "block", reason: "a key" }],
    ["gemini", { decision: "deny", reason: "a key" }],
    ["cursor", { additional_context: "a key\nCursor has shown the refused result already" }],
    ["vscode", { decision: "block", reason: "a key", systemMessage: "VS Code has shown the refused result already" }],
    ["copilot", { modifiedResult: { resultType: "success", textResultForLlm: withheld } }],
  ])("is withheld by %s, or said to have been seen", async (host, answer) => {
    expect(await ask(host, AFTER[host], { refuse: "a key" }, "onSuccess")).toMatchObject({ code: 0, answer })
  })

  it("a result's replacement on Codex is refused, with the replacement in the reason", async () => {
    const { answer } = await ask("codex", AFTER.codex, { apply: { result: "***" } }, "onSuccess")
    expect(answer).toMatchObject({
      decision: "block",
      reason: "a hook proposes (Codex cannot be trusted with a replacement here): ***",
    })
  })
})

describe("whose payload it is", () => {
  it.each(HOSTS.filter((host) => host !== "claude-code"))(
    "a call of %s through Claude Code's configuration",
    async (host) => {
      const { answer, code, err } = await ask("claude-code", BEFORE[host], { refuse: "no" }, "before")
      const own = (await ask(host, BEFORE[host], { refuse: "no" }, "before")).answer
      expect({ answer, code, err }).toEqual({ answer: own, code: 0, err: "" })
    },
  )

  it("one that may be two agents' is refused in the form that both take", async () => {
    const { hookEventName: _, sessionId: __, ...rest } = BEFORE.vscode
    const { code, answer, err } = await ask("claude-code", { ...rest, hook_event_name: "PreToolUse" }, {}, "before")
    expect({ code, answer }).toEqual({ code: 2, answer: undefined })
    expect(err).toContain("the payload is not Claude Code's, but of VS Code or Copilot")
  })

  it("an event without a name wants `--event`", async () => {
    const ran = await detent(["hook", "copilot"], { stdin: JSON.stringify(BEFORE.copilot) })
    expect(ran).toMatchObject({ code: 2, out: "" })
    expect(ran.err).toContain("Copilot does not say which event this is; `--event NAME` says it")
  })
})
