import type { Carries, MomentRow } from "../dialect.ts"

const TOOL: MomentRow["fields"] = { args: ["toolArgs", "toolInput", "tool_input"] }
const NOTHING: Carries & { readonly timeoutMs: number } = {
  advise: "stderr",
  refuse: "none",
  ask: "refuses",
  apply: "none",
  timeoutMs: 30_000,
}

const CAMEL = {
  preToolUse: {
    ...NOTHING,
    on: "call",
    phases: ["before"],
    fields: TOOL,
    refuse: "stops",
    ask: "asks",
    // A replaced call is not asked about any more.
    apply: "grants",
  },
  postToolUse: {
    ...NOTHING,
    on: "call",
    phases: ["onSuccess", "suffix"],
    fields: { ...TOOL, result: ["toolResult", "tool_response", "tool_result"] },
    advise: "model",
    refuse: "withholds",
    apply: "unsure",
  },
  postToolUseFailure: {
    ...NOTHING,
    on: "call",
    phases: ["onError", "suffix"],
    fields: { ...TOOL, error: ["error"] },
  },
  permissionRequest: { ...NOTHING, on: "permission", phases: ["before"], fields: TOOL, refuse: "stops", ask: "asks" },
  userPromptSubmitted: { ...NOTHING, on: "prompt", phases: ["before"], fields: { prompt: ["prompt"] } },
  sessionStart: { ...NOTHING, on: "thread", phases: ["before"], fields: { source: ["source"] } },
  sessionEnd: { ...NOTHING, on: "thread", phases: ["suffix"], fields: { reason: ["reason"] } },
  agentStop: {
    ...NOTHING,
    on: "turn",
    phases: ["onSuccess", "suffix"],
    fields: { goesOn: ["stop_hook_active"] },
    refuse: "goes on",
  },
  subagentStart: { ...NOTHING, on: "subagent", phases: ["before"], fields: {} },
  subagentStop: {
    ...NOTHING,
    on: "subagent",
    phases: ["onSuccess", "suffix"],
    fields: { goesOn: ["stop_hook_active"] },
    refuse: "goes on",
  },
  preCompact: { ...NOTHING, on: "compact", phases: ["before"], fields: { source: ["trigger"] } },
} as const satisfies Record<string, MomentRow>

/** Copilot's events that a point is about. Events configured by Claude Code's names come under these. */
export const MOMENTS: Readonly<Record<string, MomentRow>> = Object.freeze({
  ...CAMEL,
  PreToolUse: CAMEL.preToolUse,
  PostToolUse: CAMEL.postToolUse,
  PostToolUseFailure: CAMEL.postToolUseFailure,
  PermissionRequest: CAMEL.permissionRequest,
  UserPromptSubmit: CAMEL.userPromptSubmitted,
  SessionStart: CAMEL.sessionStart,
  SessionEnd: CAMEL.sessionEnd,
  Stop: CAMEL.agentStop,
  SubagentStart: CAMEL.subagentStart,
  SubagentStop: CAMEL.subagentStop,
  PreCompact: CAMEL.preCompact,
})
