import { CLAUDE_WAYS, CODEX_WAYS, hearClaude, VSCODE_WAYS } from "./claude.ts"
import { hearCopilot, hearCursor } from "./flat.ts"
import { hearGemini } from "./gemini.ts"
import type { Hear } from "./heard.ts"

/** How each host reads what its commands say, by the host's name. */
export const HEARS: Readonly<Record<string, Hear>> = Object.freeze({
  "claude-code": hearClaude(CLAUDE_WAYS),
  codex: hearClaude(CODEX_WAYS),
  vscode: hearClaude(VSCODE_WAYS),
  gemini: hearGemini,
  cursor: hearCursor,
  copilot: hearCopilot,
})
