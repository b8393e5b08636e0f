import { MOMENTS as CLAUDE } from "../claude-code/moments.ts"
import type { MomentRow } from "../dialect.ts"

/** Codex's events that a point is about: the names are Claude Code's, and less can be said. */
export const MOMENTS = Object.freeze({
  // A replacement is heard beside an `allow` alone.
  PreToolUse: { ...CLAUDE.PreToolUse, ask: "refuses", apply: "grants" },
  // A refused result is replaced by the reason.
  PostToolUse: { ...CLAUDE.PostToolUse, apply: "none" },
  PermissionRequest: CLAUDE.PermissionRequest,
  UserPromptSubmit: { ...CLAUDE.UserPromptSubmit, timeoutMs: 600_000 },
  SessionStart: CLAUDE.SessionStart,
  SessionEnd: { ...CLAUDE.SessionEnd, timeoutMs: 600_000 },
  Stop: CLAUDE.Stop,
  SubagentStart: CLAUDE.SubagentStart,
  SubagentStop: CLAUDE.SubagentStop,
  PreCompact: CLAUDE.PreCompact,
  PostCompact: CLAUDE.PostCompact,
} as const satisfies Record<string, MomentRow>)
