import { OperationError } from "../engine/errors.ts"
import type { AbortSignalLike } from "../policy/policy.ts"
import { NoReply } from "./tap.ts"

/** What is known around a request that has failed. */
export interface Circumstances {
  readonly server: string
  readonly requestMs: number
  /** how the server has ended, where it has */
  readonly ended: string | undefined
  readonly signal: AbortSignalLike | undefined
}

/** What went wrong with a request, in our words: `protocol` where the server has said it itself. */
export function failureOf(cause: unknown, { server, requestMs, ended, signal }: Circumstances): OperationError {
  if (cause instanceof OperationError) return cause
  const { code, message, data } = cause as { code?: unknown; message?: unknown; data?: unknown }
  const why = cause instanceof NoReply ? cause.why : code === "REQUEST_TIMEOUT" ? "timeout" : undefined
  if (why === "cancelled" || signal?.aborted) {
    return new OperationError({ code: "cancelled", message: "the call was cancelled" })
  }
  if (why === "timeout") {
    return new OperationError({ code: "timeout", message: `\`${server}\` did not answer in ${requestMs} ms` })
  }
  if (typeof code === "number" && Number.isSafeInteger(code) && code < 0) {
    const more = data === undefined ? {} : { data }
    return new OperationError({ code: "protocol", message: String(message), data: { code, ...more } })
  }
  const said = ended === undefined ? String(message ?? cause) : `it ended with ${ended}`
  return new OperationError({ code: "unavailable", message: `the server \`${server}\` was lost: ${said}` })
}
