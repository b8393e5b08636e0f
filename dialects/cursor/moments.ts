import type { Carries, MomentRow } from "../dialect.ts"

const NOTHING: Carries & { readonly timeoutMs: number } = {
  advise: "stderr",
  refuse: "none",
  ask: "refuses",
  apply: "none",
  timeoutMs: 30_000,
}
const BEFORE = { ...NOTHING, on: "call", phases: ["before"], advise: "model", refuse: "stops" } as const

/** Cursor's events that a point is about. A shell or MCP call fires both `preToolUse` and its own event. */
export const MOMENTS = Object.freeze({
  preToolUse: { ...BEFORE, fields: { args: ["tool_input"] }, apply: "unsure" },
  beforeShellExecution: { ...BEFORE, fields: { args: ["args"] }, ask: "asks" },
  beforeMCPExecution: { ...BEFORE, fields: { args: ["tool_input"] }, ask: "asks" },
  beforeReadFile: { ...BEFORE, fields: { args: ["args"] } },
  postToolUse: {
    ...NOTHING,
    on: "call",
    phases: ["onSuccess", "suffix"],
    fields: { args: ["tool_input"], result: ["tool_output", "result_json", "result", "output"] },
    advise: "model",
    refuse: "tells",
  },
  postToolUseFailure: {
    ...NOTHING,
    on: "call",
    phases: ["onError", "suffix"],
    fields: { args: ["tool_input"], error: ["error_message", "error", "failure_type"] },
  },
  beforeSubmitPrompt: { ...NOTHING, on: "prompt", phases: ["before"], fields: { prompt: ["prompt"] }, refuse: "stops" },
  stop: { ...NOTHING, on: "turn", phases: ["onSuccess", "suffix"], fields: {}, refuse: "goes on" },
  subagentStart: {
    ...NOTHING,
    on: "subagent",
    phases: ["before"],
    fields: { agent: ["subagent_type"], task: ["task"] },
  },
  subagentStop: {
    ...NOTHING,
    on: "subagent",
    phases: ["onSuccess", "suffix"],
    fields: { agent: ["subagent_type"] },
    refuse: "goes on",
  },
  sessionStart: { ...NOTHING, on: "thread", phases: ["before"], fields: { source: ["source"] } },
  sessionEnd: { ...NOTHING, on: "thread", phases: ["suffix"], fields: { reason: ["reason"] } },
  preCompact: { ...NOTHING, on: "compact", phases: ["before"], fields: { source: ["trigger"] } },
} as const satisfies Record<string, MomentRow>)
