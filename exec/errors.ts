import { isObject } from "../effects/json.ts"
import { isToldByMessage } from "./syntax.ts"

/** What the child says of the error that ended its script. */
export interface Thrown {
  readonly code: string
  readonly message: string
  readonly name?: string
  readonly stack?: string
}

/** What `data` holds in the error of a failed script. */
export interface ScriptErrorData {
  readonly exitCode: number
  readonly signal?: string
  readonly name?: string
  readonly stack?: string
}

/**
 * A failed script, as the operation throws it. `code` is the thrown error's own, or one of
 *
 * - `throw`: it threw · `syntax`: it cannot be read · `exit`: it ended with another exit code than 0
 * - `signal`: a signal ended it · `unsettled`: it ended while it was still waiting
 * - `spawn`: its process could not be started · `cancelled`: the run was cancelled
 *
 * Of the first five the script's own stderr has told already, but for `exit` and `signal`, of which there is nothing
 * to tell.
 */
export class ScriptError extends Error {
  override readonly name = "ScriptError"
  readonly code: string
  readonly data: ScriptErrorData

  constructor({ code, message, ...more }: Thrown & { readonly signal?: string }, exitCode: number) {
    super(message)
    this.code = code
    this.data = { exitCode, ...more }
  }
}

/** What a script threw. The code is the error's own where it is a text; `syntax` for a syntax error; else `throw`. */
export function describeThrown(thrown: unknown): Thrown {
  if (!(thrown instanceof Error)) return { code: "throw", message: isObject(thrown) ? inline(thrown) : String(thrown) }
  const { message, name, stack } = thrown
  const code = thrown instanceof SyntaxError ? "syntax" : ownCode(thrown)
  return { code, message, name, ...(stack === undefined || isToldByMessage(thrown) ? {} : { stack }) }
}

/** `refused` is the engine's word for the run itself; a script that lets a refused call's error pass was not refused. */
function ownCode(error: Error & { readonly code?: unknown }): string {
  return typeof error.code === "string" && error.code !== "" && error.code !== "refused" ? error.code : "throw"
}

function inline(thrown: object): string {
  if ("message" in thrown && typeof thrown.message === "string") return thrown.message
  try {
    return JSON.stringify(thrown)
  } catch {
    return Object.prototype.toString.call(thrown)
  }
}
