import type { Carries, MomentRow } from "../dialect.ts"

const TOOL: MomentRow["fields"] = { args: ["tool_input"] }
const TELLS: Carries & { readonly timeoutMs: number } = {
  advise: "user",
  refuse: "none",
  ask: "refuses",
  apply: "none",
  timeoutMs: 60_000,
}

/** Gemini CLI's events that a point is about. A question would hang where nobody sits at the terminal, so none is put. */
export const MOMENTS = Object.freeze({
  BeforeTool: { ...TELLS, on: "call", phases: ["before"], fields: TOOL, refuse: "stops", apply: "replaces" },
  AfterTool: {
    ...TELLS,
    on: "call",
    phases: ["onSuccess", "suffix"],
    fields: { ...TOOL, result: ["tool_response"] },
    advise: "model",
    refuse: "withholds",
  },
  BeforeAgent: {
    ...TELLS,
    on: "prompt",
    phases: ["before"],
    fields: { prompt: ["prompt"] },
    advise: "model",
    refuse: "stops",
  },
  AfterAgent: {
    ...TELLS,
    on: "turn",
    phases: ["onSuccess", "suffix"],
    fields: { result: ["prompt_response"], goesOn: ["stop_hook_active"] },
    refuse: "goes on",
  },
  SessionStart: { ...TELLS, on: "thread", phases: ["before"], fields: { source: ["source"] } },
  SessionEnd: { ...TELLS, on: "thread", phases: ["suffix"], fields: { reason: ["reason"] }, advise: "stderr" },
  PreCompress: { ...TELLS, on: "compact", phases: ["before"], fields: { source: ["trigger"] } },
} as const satisfies Record<string, MomentRow>)
