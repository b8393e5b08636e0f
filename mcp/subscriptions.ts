import type { McpSubscription } from "@modelcontextprotocol/client"
import type { Session } from "./connect.ts"

/** The resources of one server whose changes somebody wants to hear of, in the way of the server's revision. */
export class Subscriptions {
  readonly #wanted = new Map<string, number>()
  readonly #listening = new Map<string, McpSubscription>()
  readonly #timeoutMs: number

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs
  }

  /** One more who wants it; the server is asked for the first. */
  async add(session: Session, uri: string): Promise<void> {
    const before = this.#wanted.get(uri) ?? 0
    this.#wanted.set(uri, before + 1)
    if (before > 0) return
    await this.#ask(session, uri).catch((cause) => {
      this.#wanted.delete(uri)
      throw cause
    })
  }

  /** One who wants it no more; the server is told by the last. */
  async remove({ tap, envelope }: Session, uri: string): Promise<void> {
    const left = (this.#wanted.get(uri) ?? 0) - 1
    if (left > 0) this.#wanted.set(uri, left)
    else this.#wanted.delete(uri)
    if (left > 0) return
    if (!envelope) await tap.request("resources/unsubscribe", { uri }, undefined, { timeoutMs: this.#timeoutMs })
    await this.#listening.get(uri)?.close()
    this.#listening.delete(uri)
  }

  /** A server that has started anew knows nothing of what it was asked before. */
  renew(session: Session): void {
    this.#listening.clear()
    for (const uri of this.#wanted.keys()) {
      // What it does not take any more, it took once: its calls go on.
      this.#ask(session, uri).catch(() => {})
    }
  }

  async #ask({ client, tap, envelope }: Session, uri: string): Promise<void> {
    if (!envelope) await tap.request("resources/subscribe", { uri }, undefined, { timeoutMs: this.#timeoutMs })
    else this.#listening.set(uri, await client.listen({ resourceSubscriptions: [uri] }))
  }
}
