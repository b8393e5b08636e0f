import { callErrorOf } from "../../dialects/conduit/error.ts"
import type { CallError } from "../../dialects/conduit/types.ts"
import type { JsonObject } from "../../effects/json.ts"
import { isJson } from "../../effects/plain.ts"
import { errorOf, OperationError } from "../../engine/errors.ts"
import type { ErrorValue } from "../../frames/frames.ts"
import type { Said } from "../said.ts"

/**
 * What a call, a listing, a read, a fetch or a connection fails with that hooks or a policy have stopped. What the client
 * itself fails with is thrown as it is.
 */
export class CallFailed extends Error implements CallError {
  override readonly name = "CallFailed"
  /** `denied`, `hook`, `cancelled`, `unsupported`, or the code of an error that a policy has put in another's place */
  readonly kind: string
  declare readonly reason?: NonNullable<CallError["reason"]>
  /** the id of the hook that denied or failed */
  declare readonly hook?: string
  declare readonly failure?: NonNullable<CallError["failure"]>
  /** what the hook gave as its reason */
  declare readonly data?: unknown
  /** what a policy's hooks had to say besides */
  declare readonly advice?: Said["advice"]
  declare readonly proposals?: Said["proposals"]

  constructor(error: CallError, cause?: unknown) {
    const { message, kind, ...more } = error
    super(message, cause === undefined ? {} : { cause })
    this.kind = kind
    Object.assign(this, more)
  }

  static of(error: ErrorValue, cause?: unknown): CallFailed {
    return new CallFailed(callErrorOf(error), cause)
  }
}

/** The SDK's own codes that have a name among ours; every other text is a connection that is lost, or never was. */
const TEXTS: Readonly<Record<string, string>> = Object.freeze({
  REQUEST_TIMEOUT: "timeout",
  INVALID_RESULT: "protocol",
  UNSUPPORTED_RESULT_TYPE: "protocol",
})

/** The same of the 1.x SDK, which gives its own errors numbers of the protocol. */
const NUMBERS: Readonly<Record<number, string>> = Object.freeze({ [-32001]: "timeout", [-32000]: "unavailable" })

/** What a client threw, as hooks see it: `protocol` where the server has said it itself. */
export function clientError(thrown: unknown, signal: AbortSignal | undefined): ErrorValue {
  const { name, code, message = thrown, data } = (thrown ?? {}) as JsonObject
  return errorOf(
    new OperationError({
      code: signal?.aborted ? "cancelled" : codeOf(name, code),
      message: String(message),
      ...(isRpc(code) ? { data: { code, ...(isJson(data) ? { data } : {}) } } : {}),
    }),
  )
}

const isRpc = (code: unknown): code is number => Number.isSafeInteger(code) && Number(code) < 0

function codeOf(name: unknown, code: unknown): string {
  if (isRpc(code)) return (name === "McpError" ? NUMBERS[code] : undefined) ?? "protocol"
  return (typeof code === "string" && Object.hasOwn(TEXTS, code) ? TEXTS[code] : undefined) ?? "unavailable"
}

/** An error keeps its class and its identity; what hooks had to say is attached to it, where they said anything. */
export function withSaid(error: unknown, { advice, proposals }: Said): unknown {
  if (advice.length + proposals.length > 0 && error instanceof Error && Object.isExtensible(error)) {
    Object.assign(error, { advice, proposals })
  }
  return error
}
