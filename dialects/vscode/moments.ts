import { MOMENTS as CLAUDE } from "../claude-code/moments.ts"
import type { MomentRow } from "../dialect.ts"

const SECONDS_30 = { timeoutMs: 30_000 }

/** VS Code's events that a point is about: the names are Claude Code's. Nothing here was tried with VS Code itself. */
export const MOMENTS = Object.freeze({
  // A replacement that does not fit the tool's schema is discarded in silence.
  PreToolUse: { ...CLAUDE.PreToolUse, apply: "unsure", ...SECONDS_30 },
  PostToolUse: { ...CLAUDE.PostToolUse, refuse: "tells", apply: "none", ...SECONDS_30 },
  UserPromptSubmit: { ...CLAUDE.UserPromptSubmit, advise: "user", ...SECONDS_30 },
  SessionStart: { ...CLAUDE.SessionStart, ...SECONDS_30 },
  Stop: { ...CLAUDE.Stop, ...SECONDS_30 },
  SubagentStart: { ...CLAUDE.SubagentStart, ...SECONDS_30 },
  SubagentStop: { ...CLAUDE.SubagentStop, ...SECONDS_30 },
  PreCompact: { ...CLAUDE.PreCompact, refuse: "none", ...SECONDS_30 },
} as const satisfies Record<string, MomentRow>)
