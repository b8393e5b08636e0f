import type { JsonObject } from "../effects/json.ts"
import { CLAUDE_CODE } from "./claude-code/claude-code.ts"
import { CODEX } from "./codex/codex.ts"
import { COPILOT } from "./copilot/copilot.ts"
import { CURSOR } from "./cursor/cursor.ts"
import type { Dialect } from "./dialect.ts"
import { GEMINI } from "./gemini/gemini.ts"
import { OPENCODE } from "./opencode/opencode.ts"
import { PayloadError } from "./read.ts"
import { VSCODE } from "./vscode/vscode.ts"

/** The agents in front of which Detent can be put, by the name that `detent hook` takes. */
export const DIALECTS: Readonly<Record<string, Dialect>> = Object.freeze({
  "claude-code": CLAUDE_CODE,
  codex: CODEX,
  gemini: GEMINI,
  cursor: CURSOR,
  vscode: VSCODE,
  copilot: COPILOT,
  opencode: OPENCODE,
})

export const DIALECT_NAMES: readonly string[] = Object.freeze(Object.keys(DIALECTS))

/**
 * Whose payload it is. Several agents read each other's configuration, so that a command may be called by another one
 * than it was written for.
 *
 * @throws PayloadError where it is nobody's, or could be several agents' and the named one's not.
 */
export function dialectOf(named: Dialect, payload: JsonObject): Dialect {
  if (named.fits(payload)) return named
  const others = Object.values(DIALECTS).filter((dialect) => dialect.fits(payload))
  const [only] = others
  if (only && others.length === 1) return only
  const like = others.length === 0 ? "of no agent known here" : `of ${others.map(({ title }) => title).join(" or ")}`
  throw new PayloadError(`the payload is not ${named.title}'s, but ${like}`)
}
