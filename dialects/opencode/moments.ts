import type { Carries, MomentRow } from "../dialect.ts"

const NOTHING: Carries & { readonly timeoutMs: number } = {
  advise: "stderr",
  refuse: "none",
  ask: "refuses",
  apply: "none",
  timeoutMs: 60_000,
}

/** What opencode tells its plugins that a point is about. It waits for a plugin as long as that takes: our plugin does not. */
export const MOMENTS = Object.freeze({
  "tool.execute.before": {
    ...NOTHING,
    on: "call",
    phases: ["before"],
    fields: { args: ["args"] },
    refuse: "stops",
    apply: "replaces",
  },
  "tool.execute.after": {
    ...NOTHING,
    on: "call",
    phases: ["onSuccess", "suffix"],
    fields: { args: ["args"], result: ["output"] },
    advise: "model",
    refuse: "withholds",
    apply: "replaces",
  },
  "permission.ask": {
    ...NOTHING,
    on: "permission",
    phases: ["before"],
    fields: { args: ["args"] },
    refuse: "stops",
    ask: "asks",
  },
  "chat.message": { ...NOTHING, on: "prompt", phases: ["before"], fields: { prompt: ["prompt"] }, refuse: "stops" },
  "session.created": { ...NOTHING, on: "thread", phases: ["before"], fields: {} },
  "session.idle": { ...NOTHING, on: "turn", phases: ["suffix"], fields: {} },
  "session.compacted": { ...NOTHING, on: "compact", phases: ["suffix"], fields: {} },
} as const satisfies Record<string, MomentRow>)
