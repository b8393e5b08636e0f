import { describe, expect, it } from "vitest"
import { DIALECTS } from "../../dialects/dialects.ts"
import type { Ended } from "../../dialects/heard/heard.ts"
import { HEARS } from "../../dialects/heard/index.ts"
import { payloadOf } from "../../dialects/heard/payload.ts"
import { readPayload } from "../../dialects/read.ts"

const ARGS = { command: "ls", description: "d" }
const ended = (code: number, stdout: unknown = "", stderr = ""): Ended => ({
  code,
  stdout: typeof stdout === "string" ? stdout : JSON.stringify(stdout),
  stderr,
})
const hear = (agent: string, name: string, end: Ended) => {
  const row = DIALECTS[agent]!.moments[name]!
  return HEARS[agent]!({ name, row, event: { args: ARGS } }, end)
}

const specific = (hookEventName: string, members: object) => ({ hookSpecificOutput: { hookEventName, ...members } })
const pre = (members: object) => specific("PreToolUse", members)
const FAILED = { failed: expect.any(String) }
const output = (members: object) => ({ output: members })

/** agent, event, how the command ended, what it is heard as */
const TABLE: readonly (readonly [string, string, Ended, object])[] = [
  // Every host: 2 stops, with what stands on stderr; nothing is no opinion; any other code is a failure.
  ...["claude-code", "codex", "gemini", "cursor", "vscode", "copilot"].flatMap((agent) => {
    const name =
      agent === "gemini" ? "BeforeTool" : agent === "cursor" || agent === "copilot" ? "preToolUse" : "PreToolUse"
    return [
      [agent, name, ended(2, "", "no\n"), output({ refuse: "no" })],
      [agent, name, ended(0), output({})],
      [agent, name, ended(1, "", "broken"), FAILED],
      [agent, name, ended(0, 'hello\n{"decision":"deny"}'), FAILED],
    ] as const
  }),
  ["claude-code", "PreToolUse", ended(2), output({ refuse: "the hook ended with 2" })],
  ["codex", "PreToolUse", ended(2), FAILED],
  ["gemini", "BeforeTool", ended(3, "", "no"), output({ refuse: "no" })],
  ["gemini", "BeforeTool", ended(2, { decision: "allow" }, "no"), output({})],
  [
    "claude-code",
    "PreToolUse",
    ended(1, pre({ permissionDecision: "deny" })),
    output({ refuse: "the hook denies it" }),
  ],
  ["codex", "PreToolUse", ended(1, pre({ permissionDecision: "deny", permissionDecisionReason: "no" })), FAILED],
  // No allow has a place, what stands beside it has.
  ["claude-code", "PreToolUse", ended(0, pre({ permissionDecision: "allow" })), output({})],
  [
    "claude-code",
    "PreToolUse",
    ended(0, pre({ permissionDecision: "allow", updatedInput: { command: "id" } })),
    output({ apply: { input: { command: "id" } } }),
  ],
  [
    "claude-code",
    "PreToolUse",
    ended(0, pre({ permissionDecision: "ask", permissionDecisionReason: "sure?", updatedInput: {} })),
    output({ ask: "sure?", propose: { input: {} } }),
  ],
  // A decision is taken by its exact name, in the right wrapper, of the right event.
  ["claude-code", "PreToolUse", ended(0, pre({ permissionDecision: "Deny" })), FAILED],
  ["claude-code", "PreToolUse", ended(0, pre({ permissionDecision: "block" })), FAILED],
  ["claude-code", "PreToolUse", ended(0, specific("PostToolUse", { permissionDecision: "deny" })), FAILED],
  ["claude-code", "PreToolUse", ended(0, "{not json"), FAILED],
  ["claude-code", "PreToolUse", ended(0, '{"decision":"block","decision":"approve"}'), FAILED],
  ["claude-code", "PreToolUse", ended(0, { decision: "block", reason: "no" }), output({ refuse: "no" })],
  ["claude-code", "PreToolUse", ended(0, { continue: false, stopReason: "halt" }), output({ refuse: "halt" })],
  // What Codex does not take counts for nothing there, and here it is said.
  ["codex", "PreToolUse", ended(0, pre({ permissionDecision: "ask" })), FAILED],
  ["codex", "PreToolUse", ended(0, pre({ permissionDecision: "allow" })), FAILED],
  ["codex", "PreToolUse", ended(0, pre({ updatedInput: {} })), FAILED],
  ["codex", "PreToolUse", ended(0, pre({ permissionDecision: "deny", permissionDecisionReason: " " })), FAILED],
  // The same words about a result are a remark for one host, and withhold it at another.
  [
    "claude-code",
    "PostToolUse",
    ended(0, { decision: "block", reason: "look" }),
    output({ advise: { text: "look", severity: "warning" } }),
  ],
  ["codex", "PostToolUse", ended(0, { decision: "block", reason: "look" }), output({ refuse: "look" })],
  ["gemini", "AfterTool", ended(0, { decision: "deny", reason: "look" }), output({ refuse: "look" })],
  [
    "claude-code",
    "PostToolUse",
    ended(0, specific("PostToolUse", { updatedToolOutput: "x", additionalContext: "c" })),
    output({ apply: { result: "x" }, advise: ["c"] }),
  ],
  ["claude-code", "Stop", ended(0, { decision: "block", reason: "go on" }), output({ refuse: "go on" })],
  ["vscode", "Stop", ended(0, specific("Stop", { decision: "block", reason: "go on" })), output({ refuse: "go on" })],
  ["claude-code", "UserPromptSubmit", ended(0, "today is Monday"), output({ advise: "today is Monday" })],
  ["claude-code", "PermissionRequest", ended(2, "", "no"), FAILED],
  [
    "claude-code",
    "PermissionRequest",
    ended(0, specific("PermissionRequest", { decision: { behavior: "deny", message: "no" } })),
    output({ refuse: "no" }),
  ],
  [
    "gemini",
    "BeforeTool",
    ended(0, { hookSpecificOutput: { tool_input: { command: "id" } } }),
    output({ apply: { input: { command: "id", description: "d" } } }),
  ],
  ["gemini", "BeforeTool", ended(0, { decision: "ask", reason: "sure?" }), output({ ask: "sure?" })],
  ["cursor", "preToolUse", ended(0, { permission: "deny", user_message: "no" }), output({ refuse: "no" })],
  ["cursor", "preToolUse", ended(0, { permission: "denied" }), FAILED],
  ["cursor", "beforeSubmitPrompt", ended(0, { continue: false, user_message: "no" }), output({ refuse: "no" })],
  ["cursor", "stop", ended(0, { followup_message: "go on" }), output({ refuse: "go on" })],
  [
    "copilot",
    "preToolUse",
    ended(0, { permissionDecision: "deny", permissionDecisionReason: "no" }),
    output({ refuse: "no" }),
  ],
  [
    "copilot",
    "preToolUse",
    ended(0, '{"type":"progress","at":1}\n{"modifiedArgs":{"command":"id"}}'),
    output({ apply: { input: { command: "id" } } }),
  ],
  ["copilot", "agentStop", ended(0, { decision: "block", reason: "go on" }), output({ refuse: "go on" })],
]

describe("a command of a host is heard as the host hears it", () => {
  it.each(TABLE)("%s %s %j", (agent, name, end, wanted) => {
    expect(hear(agent, name, end)).toEqual(wanted)
  })
})

it("a command gets what its host would send: our event of it is the same again", () => {
  for (const [agent, dialect] of Object.entries(DIALECTS)) {
    for (const [name, row] of Object.entries(dialect.moments)) {
      const ofTool = row.on === "call" || row.on === "permission"
      const event = {
        session: "s",
        cwd: "/p",
        ...(ofTool ? { server: agent, tool: "t", args: { command: "ls", file_path: "f" } } : {}),
        ...(row.on === "prompt" ? { prompt: "hi" } : {}),
      }
      const payload = payloadOf(dialect, name, row, event)
      const said = agent === "copilot" && /^[a-z]/.test(name) ? name : undefined
      const { event: read } = readPayload(dialect, payload, said)
      const { args, server, tool, ...rest } = event as Record<string, unknown>
      expect(read).toMatchObject(rest)
      if (ofTool && row.phases[0] === "before" && !/^before(Shell|MCP|Read)/.test(name)) {
        expect({ name, read }).toMatchObject({ read: { server, tool, args } })
      }
    }
  }
})
