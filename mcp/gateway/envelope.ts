import { isObject, type JsonObject } from "../../effects/json.ts"

/** A line that is no message of JSON-RPC, and what is answered to it. */
export interface BadEnvelope {
  readonly code: -32700 | -32600
  readonly message: string
}

const bad = (message: string): BadEnvelope => ({ code: -32600, message })

/** A number that is not whole, or greater than one can hold exactly, would not be the same in the answer. */
const isId = (id: unknown): boolean => typeof id === "string" || Number.isSafeInteger(id)

/**
 * A message, or why it is none. Whatever is not exactly one message is answered and goes no further: a list of messages too,
 * since a call inside of it would be looked at by nobody.
 */
export function readEnvelope(text: string): { readonly message: JsonObject } | BadEnvelope {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { code: -32700, message: "this is no JSON" }
  }
  if (Array.isArray(value)) return bad("a list of messages is not taken: send them one by one")
  if (!isObject(value) || value.jsonrpc !== "2.0") return bad("this is no message of JSON-RPC 2.0")
  const why = problemOf(value)
  return why === undefined ? { message: value } : bad(why)
}

function problemOf({ id, method, params, result, error }: JsonObject): string | undefined {
  if (method === undefined) {
    const answers = (result !== undefined) !== (error !== undefined)
    return isId(id) && answers ? undefined : "a message has a `method`, or an `id` with a `result` or an `error`"
  }
  if (typeof method !== "string") return "`method` must be a text"
  if (id !== undefined && !isId(id)) return "`id` must be a text or a whole number of at most 2^53 - 1"
  return params === undefined || isObject(params) ? undefined : "`params` must be an object"
}
