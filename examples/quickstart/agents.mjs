/**
 * What each agent's hook sends, as an event of the point `call`. One row an agent: how its payload is told apart, and
 * where things stand in it. (A later version brings this along, answers included; here it is a table to read.)
 */
const AGENTS = {
  codex: { is: (sent) => "turn_id" in sent, read: snakeCase },
  gemini: { is: (sent) => /^(Before|After)Tool$/.test(sent.hook_event_name), read: snakeCase },
  "claude-code": { is: (sent) => "hook_event_name" in sent, read: snakeCase },
  copilot: {
    is: (sent) => "toolName" in sent,
    read: ({ sessionId, cwd, toolName, toolArgs, toolResult }) => ({
      ...(toolResult === undefined ? { phase: "before" } : { phase: "onSuccess", result: toolResult }),
      tool: toolName,
      args: toolArgs,
      session: sessionId,
      cwd,
    }),
  },
  opencode: {
    is: (sent) => "callID" in (sent.input ?? {}),
    read: ({ input, output }) => ({
      ...("args" in input ? { phase: "onSuccess", result: output.output } : { phase: "before" }),
      tool: input.tool,
      args: input.args ?? output.args,
      session: input.sessionID,
    }),
  },
}

const PHASES = {
  PreToolUse: "before",
  BeforeTool: "before",
  PostToolUse: "onSuccess",
  AfterTool: "onSuccess",
  PostToolUseFailure: "onError",
}

function snakeCase({ hook_event_name, tool_name, tool_input, tool_response, error, session_id, cwd }) {
  const phase = PHASES[hook_event_name]
  return {
    phase,
    tool: tool_name,
    args: tool_input,
    ...(phase === "onSuccess" ? { result: tool_response } : {}),
    ...(phase === "onError" ? { error: { code: "tool_failed", message: error } } : {}),
    session: session_id,
    cwd,
  }
}

/** The event of one payload. An MCP tool's server is in its name; any other tool is the agent's own. */
export function eventOf(sent) {
  const [agent, row] = Object.entries(AGENTS).find(([, { is }]) => is(sent)) ?? []
  if (row === undefined) throw new Error("no agent that we know sends this")
  const { phase, tool, ...rest } = row.read(sent)
  const [, server = agent, name = tool] = tool.match(/^mcp__(.+?)__(.+)$/) ?? []
  return { on: "call", phase, server, tool: name, agent, ...rest }
}
