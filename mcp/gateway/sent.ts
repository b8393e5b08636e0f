import type { EventStore, JSONRPCMessage } from "@modelcontextprotocol/server"

/** What is kept for clients that come back, of all sessions together; the oldest goes first. */
interface Limits {
  readonly events: number
  readonly bytes: number
}
const LIMITS: Limits = Object.freeze({ events: 10_000, bytes: 32 * 1024 * 1024 })

interface Event {
  readonly session: object
  readonly stream: string
  readonly text: string
}

/** What was sent to clients over HTTP, so that one whose connection broke gets what it has missed. */
export class Sent {
  readonly #events = new Map<number, Event>()
  readonly #limits: Limits
  #bytes = 0
  #oldest = 1
  #last = 0

  constructor(limits: Partial<Limits> = {}) {
    this.#limits = { ...LIMITS, ...limits }
  }

  /** What one session sends; `forget` it once it is over. */
  session(): EventStore & { knows(id: string): boolean; forget(): void } {
    const session = {}
    const streamOf = (id: string): string | undefined => {
      const event = this.#events.get(Number(id))
      return event?.session === session ? event.stream : undefined
    }
    return {
      storeEvent: async (stream, message) => this.#keep({ session, stream, text: JSON.stringify(message) }),
      getStreamIdForEventId: async (id) => streamOf(id),
      replayEventsAfter: async (id, { send }) => {
        const stream = streamOf(id) ?? ""
        const missed = [...this.#events].filter(
          ([at, event]) => at > Number(id) && event.session === session && event.stream === stream,
        )
        for (const [at, { text }] of missed) {
          const message = JSON.parse(text) as JSONRPCMessage
          // The empty message that opens a stream was never one.
          if ("jsonrpc" in message) await send(String(at), message)
        }
        return stream
      },
      knows: (id) => streamOf(id) !== undefined,
      forget: () => {
        for (const [at, event] of this.#events) if (event.session === session) this.#drop(at)
      },
    }
  }

  #keep(event: Event): string {
    const at = ++this.#last
    this.#events.set(at, event)
    this.#bytes += event.text.length
    // INVARIANT: what came after a kept event is kept too, so that nobody is given a stream with holes (test/mcp/resuming.test.ts).
    while (this.#events.size > this.#limits.events || this.#bytes > this.#limits.bytes) this.#drop(this.#oldest++)
    return String(at)
  }

  #drop(at: number): void {
    this.#bytes -= this.#events.get(at)?.text.length ?? 0
    this.#events.delete(at)
  }
}
