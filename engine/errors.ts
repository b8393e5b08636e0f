import { isObject, type JsonObject } from "../effects/json.ts"
import type { ErrorValue, Verdict } from "../frames/frames.ts"

/** What an operation threw, as frames and hooks see it: `code`, `message`, and `data` where there is some. */
export function errorOf(thrown: unknown): ErrorValue {
  if (!isObject(thrown) && !(thrown instanceof Error)) return { code: "error", message: String(thrown) }
  const { code, message, data } = thrown as JsonObject
  return {
    code: typeof code === "string" && code !== "" ? code : "error",
    message: typeof message === "string" && message !== "" ? message : "the operation failed without a message",
    ...(data === undefined ? {} : { data }),
  }
}

/** A refused operation's error: what `onError` hooks see, and the final frame says. */
export const refusedError = (refusal: NonNullable<Verdict["refusal"]>): ErrorValue => ({
  code: "refused",
  message: refusal.reason,
  ...(refusal.hook === undefined ? {} : { hook: refusal.hook }),
  ...(refusal.code === undefined ? {} : { cause: refusal.code }),
  ...(refusal.data === undefined ? {} : { data: refusal.data }),
})

/** What a refused or failed nested call is thrown as. */
export class OperationError extends Error {
  override readonly name = "OperationError"
  readonly code: string
  readonly data?: unknown

  constructor(error: ErrorValue) {
    super(error.message)
    this.code = error.code
    if (error.data !== undefined) this.data = error.data
  }
}
