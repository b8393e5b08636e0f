import { ProtocolError } from "@modelcontextprotocol/server"
import { isObject, type JsonObject } from "../../effects/json.ts"
import { OperationError } from "../../engine/errors.ts"
import type { ErrorValue, Verdict } from "../../frames/frames.ts"
import { asResult, META, saidByHooks, textBlock, withBlocks, withMeta } from "../said.ts"

const INTERNAL_ERROR = -32603
const INVALID_PARAMS = -32602

/** Why, by whom, and what the caller can go by. */
function refusalOf({ refusal, error }: Verdict): { readonly words: string; readonly data: JsonObject } {
  const { hook, reason, code, data } = refusal ?? { reason: error?.message ?? "refused" }
  const by = hook === undefined ? "Refused" : `Refused by the hook \`${hook}\``
  const words = `${by}: ${reason}${code === undefined ? "" : ` (${code})`}`
  return {
    words,
    data: { reason, ...(hook && { hook }), ...(code && { code }), ...(data === undefined ? {} : { data }) },
  }
}

/**
 * What a client gets of a call: the server's result, the very same object where no hook has touched it, or a refusal as a
 * result that a model can act on.
 *
 * @throws ProtocolError the server's own error, or what became of the server.
 */
export function toolAnswer(verdict: Verdict): JsonObject {
  const { error } = verdict
  if (error?.code === "refused") {
    const { words, data } = refusalOf(verdict)
    return withBlocks({ content: [textBlock(words)], isError: true, _meta: { [META.refusal]: data } }, verdict)
  }
  if (error) throw protocolError(error, saidByHooks(verdict))
  return withBlocks(asResult(verdict.result), verdict)
}

/**
 * What a client gets of a resource or a prompt: these have no way to say that they failed, so a refusal is an error.
 *
 * @throws ProtocolError
 */
export function plainAnswer(verdict: Verdict): JsonObject {
  const { error, result } = verdict
  if (error?.code === "refused") {
    const { words, data } = refusalOf(verdict)
    throw new ProtocolError(INVALID_PARAMS, words, { [META.refusal]: data })
  }
  if (error) throw protocolError(error, saidByHooks(verdict))
  return withMeta(isObject(result) ? result : {}, verdict)
}

/** What a request is answered with that failed outside of any hook. */
export function asProtocolError(cause: unknown): ProtocolError {
  if (cause instanceof ProtocolError) return cause
  if (cause instanceof OperationError)
    return protocolError({ code: cause.code, message: cause.message, data: cause.data }, [])
  return new ProtocolError(INTERNAL_ERROR, cause instanceof Error ? cause.message : String(cause))
}

/** A server's error keeps its code, message and data; any other failure says in its data what kind it is. */
function protocolError({ code, message, data }: ErrorValue, said: readonly JsonObject[]): ProtocolError {
  if (code === "protocol" && isObject(data) && typeof data.code === "number") {
    return new ProtocolError(data.code, message, data.data)
  }
  return new ProtocolError(INTERNAL_ERROR, message, {
    "detent/error": { code, ...(data === undefined ? {} : { data }) },
    ...(said.length > 0 && { [META.advice]: said.map((block) => block.text) }),
  })
}
