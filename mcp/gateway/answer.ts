import { ProtocolError } from "@modelcontextprotocol/server"
import { isObject, type JsonObject } from "../../effects/json.ts"
import { OperationError } from "../../engine/errors.ts"
import type { ErrorValue, Verdict } from "../../frames/frames.ts"
import { asResult, META, misfit, type Said, saidByHooks, textBlock, withBlocks, withMeta } from "../said.ts"

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
 * @param sent the server's own result, where it gave one
 * @throws ProtocolError the server's own error, or what became of the server.
 */
export function toolAnswer(verdict: Verdict, sent: JsonObject | undefined): JsonObject {
  const { error } = verdict
  if (error?.code === "refused") {
    const { words, data } = refusalOf(verdict)
    return withBlocks({ content: [textBlock(words)], isError: true, _meta: { [META.refusal]: data } }, verdict)
  }
  if (error) throw protocolError(error, verdict)
  return withBlocks(sent && verdict.result === sent ? sent : asResult(verdict.result), verdict)
}

/**
 * What a client gets of a resource or a prompt: these have no way to say that they failed, so a refusal is an error.
 *
 * @param sent the server's own result, where it gave one
 * @throws ProtocolError also where hooks have put in the result's place what is none.
 */
export function plainAnswer(
  on: Parameters<typeof misfit>[0],
  verdict: Verdict,
  sent: JsonObject | undefined,
): JsonObject {
  const { error, result } = verdict
  if (error?.code === "refused") {
    const { words, data } = refusalOf(verdict)
    throw new ProtocolError(INVALID_PARAMS, words, { [META.refusal]: data, ...adviceOf(verdict) })
  }
  if (error) throw protocolError(error, verdict)
  const wrong = sent && result === sent ? undefined : misfit(on, verdict)
  if (wrong) throw new ProtocolError(INTERNAL_ERROR, wrong.message, { hook: wrong.hook, ...adviceOf(verdict) })
  return withMeta(result as JsonObject, verdict)
}

/** What hooks had to say of the tools of one server, a sentence each. */
export const saidOfListing = (server: string, { advice, proposals }: Said): readonly string[] => [
  ...advice.map(({ hook, text }) => `advice of the hook \`${hook}\` on \`${server}\`: ${text}`),
  ...proposals.map(
    ({ hook, ...proposed }) =>
      `proposal of the hook \`${hook}\` on \`${server}\`, not applied: ${JSON.stringify(proposed)}`,
  ),
]

/** What a request is answered with that failed outside of any hook. */
export function asProtocolError(cause: unknown): ProtocolError {
  if (cause instanceof ProtocolError) return cause
  if (cause instanceof OperationError)
    return protocolError({ code: cause.code, message: cause.message, data: cause.data }, SILENT)
  return new ProtocolError(INTERNAL_ERROR, cause instanceof Error ? cause.message : String(cause))
}

const SILENT: Said = Object.freeze({ advice: [], proposals: [] })

/** An error has no content: what hooks had to say stands in its data. */
function adviceOf(said: Said): JsonObject {
  const blocks = saidByHooks(said)
  return blocks.length > 0 ? { [META.advice]: blocks.map(({ text }) => text) } : {}
}

/**
 * A server's error keeps its code, message and data, beside which stands what hooks had to say; any other failure says in its
 * data what kind it is.
 */
function protocolError({ code, message, data }: ErrorValue, said: Said): ProtocolError {
  const advice = adviceOf(said)
  const kind = { "detent/error": { code, ...(data === undefined ? {} : { data }) } }
  if (code !== "protocol" || !isObject(data) || typeof data.code !== "number") {
    return new ProtocolError(INTERNAL_ERROR, message, { ...kind, ...advice })
  }
  if (Object.keys(advice).length === 0) return new ProtocolError(data.code, message, data.data)
  const own = isObject(data.data) ? data.data : data.data === undefined ? {} : kind
  return new ProtocolError(data.code, message, { ...own, ...advice })
}
