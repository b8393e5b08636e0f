import { PolicyError, showFinding } from "../policy/findings.ts"
import type { Io } from "./io.ts"

/** Something that the user can mend: one sentence, and how. */
export class CommandError extends Error {
  override readonly name = "CommandError"
  readonly hint?: string

  constructor(message: string, hint?: string) {
    super(message)
    if (hint !== undefined) this.hint = hint
  }
}

/** The system's words for what went wrong with a file. */
const SYSTEM: Readonly<Record<string, string>> = Object.freeze({
  ENOENT: "there is no such file",
  EACCES: "it may not be read",
  EISDIR: "it is a folder",
  ENOTDIR: "a part of its path is no folder",
})

/** A failed file access as an error that names the file. */
export function fileError(path: string, cause: unknown): CommandError {
  const { code, message } = cause as NodeJS.ErrnoException
  return new CommandError(`\`${path}\` cannot be read: ${SYSTEM[code ?? ""] ?? code ?? message}`)
}

/** Tells an error on stderr: findings each on a line, anything else as `detent: message (hint)`. */
export function tellError(error: unknown, io: Io): void {
  if (error instanceof PolicyError || isFindings(error)) {
    for (const finding of (error as PolicyError).findings) io.err.line(showFinding(finding))
    return
  }
  const { message, hint, stack } = describe(error)
  io.err.line(`detent: ${message}${hint === undefined ? "" : ` (${hint})`}`)
  if (stack !== undefined && io.env.DETENT_DEBUG === "1") io.err.line(stack)
}

/** The bundled first file and the rest of the program each have their own copy of the class. */
const isFindings = (error: unknown): boolean => (error as { name?: unknown } | null)?.name === "PolicyError"

function describe(error: unknown): { message: string; hint?: string; stack?: string } {
  if (!(error instanceof Error)) return { message: `a fault of our own: ${String(error)}` }
  const { hint } = error as { hint?: unknown }
  if (error.name === "CommandError" || error instanceof RangeError || typeof hint === "string") {
    const told = { message: error.message, ...(typeof hint === "string" ? { hint } : {}) }
    return error.name === "CommandError" ? told : { ...told, ...(error.stack ? { stack: error.stack } : {}) }
  }
  return {
    message: `a fault of our own: ${error.message}`,
    hint: "DETENT_DEBUG=1 shows where; please report it",
    ...(error.stack ? { stack: error.stack } : {}),
  }
}
