import { isObject, type JsonObject } from "../../effects/json.ts"
import type { Gateway } from "./gateway.ts"

/** The resources that one client of an older revision follows. */
export class Followed {
  readonly #gateway: Pick<Gateway, "subscribe" | "unsubscribe">
  readonly #uris = new Set<string>()

  constructor(gateway: Pick<Gateway, "subscribe" | "unsubscribe">) {
    this.#gateway = gateway
  }

  has(uri: string): boolean {
    return this.#uris.has(uri)
  }

  async add(uri: string): Promise<void> {
    if (this.#uris.has(uri)) return
    // What changes before the answer is back is news already.
    this.#uris.add(uri)
    await this.#gateway.subscribe(uri).catch((cause) => {
      this.#uris.delete(uri)
      throw cause
    })
  }

  async remove(uri: string): Promise<void> {
    this.#uris.delete(uri)
    await this.#gateway.unsubscribe(uri)
  }

  /** The client is gone: others may still follow what it followed. */
  leave(): void {
    for (const uri of this.#uris) this.#gateway.unsubscribe(uri).catch(() => {})
    this.#uris.clear()
  }
}

/**
 * A client of the 2026 revision names the resources that it follows when it listens: their servers are asked to tell.
 *
 * @param signal aborted when it listens no more
 */
export async function followSubscriptions(
  gateway: Pick<Gateway, "subscribe" | "unsubscribe">,
  { method, params }: JsonObject,
  signal?: AbortSignal,
): Promise<void> {
  if (method !== "subscriptions/listen" || !isObject(params)) return
  const wanted = isObject(params.notifications) ? params.notifications.resourceSubscriptions : undefined
  const uris = Array.isArray(wanted) ? wanted.filter((uri) => typeof uri === "string") : []
  const followed = new Followed(gateway)
  signal?.addEventListener("abort", () => followed.leave(), { once: true })
  // A resource that nobody has, or whose server does not tell, leaves the others followed.
  await Promise.all(uris.map((uri) => followed.add(uri).catch(() => {})))
}
