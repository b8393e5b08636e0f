import { SUBSCRIPTION_ID_META_KEY } from "@modelcontextprotocol/server"
import { isObject, type JsonObject } from "../../effects/json.ts"

/** What revision 2026-07-28 says of each result, and the ones before it know nothing of. */
const OF_THE_NEWER = ["resultType", "ttlMs", "cacheScope"]

/** A result as clients of older revisions know it: the same object where there is nothing to take away. */
export function asOlder(result: JsonObject): JsonObject {
  if (!OF_THE_NEWER.some((name) => Object.hasOwn(result, name))) return result
  return Object.fromEntries(Object.entries(result).filter(([name]) => !OF_THE_NEWER.includes(name)))
}

/** News without the number of the subscription that it came by, which is between us and the server. */
export function withoutSubscription(params: JsonObject): JsonObject {
  if (!isObject(params._meta) || !Object.hasOwn(params._meta, SUBSCRIPTION_ID_META_KEY)) return params
  const { _meta, ...rest } = params
  const { [SUBSCRIPTION_ID_META_KEY]: _, ...meta } = _meta as JsonObject
  return Object.keys(meta).length > 0 ? { ...rest, _meta: meta } : rest
}
