import { isObject, type JsonObject } from "../../effects/json.ts"
import type { Gateway } from "./gateway.ts"

/** A client of the 2026 revision names the resources that it follows when it listens: their servers are asked to tell. */
export async function followSubscriptions(gateway: Gateway, { method, params }: JsonObject): Promise<void> {
  if (method !== "subscriptions/listen" || !isObject(params)) return
  const wanted = isObject(params.notifications) ? params.notifications.resourceSubscriptions : undefined
  const uris = Array.isArray(wanted) ? wanted.filter((uri) => typeof uri === "string") : []
  // A resource that nobody has, or whose server does not tell, leaves the others followed.
  await Promise.all(uris.map((uri) => gateway.subscribe(uri).catch(() => {})))
}
