import type { ClientCapabilities } from "@modelcontextprotocol/server"
import type { JsonObject } from "../../effects/json.ts"
import type { AbortSignalLike } from "../../policy/policy.ts"
import type { InputPort } from "../peer.ts"

/** One request of a client, as the gateway sees it: over whatever way and of whatever revision it came. */
export interface Leg {
  /** the request's `_meta`, as the server shall get it: without what belongs to the way it came */
  readonly meta: JsonObject | undefined
  readonly progressToken: string | number | undefined
  readonly signal: AbortSignalLike
  /** what the client can do for servers that ask */
  readonly can: ClientCapabilities
  /** puts a server's question, or ours, to the client */
  readonly input: InputPort
  /** a notification that belongs to this request */
  notify(method: string, params: JsonObject): void
}

/** A client's `_meta` in two: what goes on to the server, and where news of progress goes. */
export function partsOfMeta(meta: JsonObject | undefined): Pick<Leg, "meta" | "progressToken"> {
  if (meta === undefined) return NO_META
  const { progressToken, ...rest } = meta
  return {
    meta: Object.keys(rest).length > 0 ? rest : undefined,
    progressToken: typeof progressToken === "string" || typeof progressToken === "number" ? progressToken : undefined,
  }
}

const NO_META = Object.freeze({ meta: undefined, progressToken: undefined })

/** What takes a server's news of progress to the client that wants it, under the client's own token; others may watch. */
export function progressOf(
  { progressToken, notify }: Leg,
  watch: (news: JsonObject) => void,
): ((news: JsonObject) => void) | undefined {
  if (progressToken === undefined) return undefined
  return (news) => {
    watch(news)
    notify("notifications/progress", { ...news, progressToken })
  }
}
