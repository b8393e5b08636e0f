import type { Transport } from "@modelcontextprotocol/client"
import { OperationError } from "../engine/errors.ts"
import { connect, endOf, type Session, type Start } from "./connect.ts"
import type { Peer } from "./peer.ts"

export interface StandingOptions extends Pick<Start, "name" | "open" | "startMs" | "input"> {
  readonly peer: () => Peer
  /** stands around each start: hooks may refuse it */
  readonly gate?: ((start: () => Promise<void>) => Promise<void>) | undefined
  /** a session has been begun */
  started(session: Session): void
  /** what the server's lists held may hold no more */
  changed(): void
}

/** The one session with a server that stands at a time: begun when it is first needed, and anew after it has ended. */
export class Standing {
  readonly #options: StandingOptions
  #session: Promise<Session> | undefined
  #transport: Transport | undefined
  #older = false

  constructor(options: StandingOptions) {
    this.#options = options
  }

  /** The session, begun where none stands. @throws OperationError */
  get(): Promise<Session> {
    if (this.#session) return this.#session
    const wanted = (): boolean => this.#session === begun
    // An end that is told late is that of its own session, and not of the next.
    const over = (): void => {
      if (!wanted()) return
      this.#session = undefined
      this.#options.changed()
    }
    const begun: Promise<Session> = this.#begin(wanted, over).catch((cause) => {
      over()
      throw cause
    })
    this.#session = begun
    return begun
  }

  /** Whether a session is there, or on its way. */
  get lives(): boolean {
    return this.#session !== undefined
  }

  /** The session that stands, if one does. */
  async now(): Promise<Session | undefined> {
    return this.#session?.catch(() => undefined)
  }

  /** How the server has ended, where it is a child and has. */
  get ended(): string | undefined {
    return this.#transport && endOf(this.#transport)
  }

  /** Ends the session, or a start under way, and, where the server is a child, all of its processes. */
  async close(): Promise<void> {
    const session = this.#session
    this.#session = undefined
    this.#options.changed()
    await this.#transport?.close().catch(() => {})
    await session?.then(({ client }) => client.close()).catch(() => {})
  }

  async #begin(wanted: () => boolean, over: () => void): Promise<Session> {
    const { name, gate = (start) => start(), started } = this.#options
    let session: Session | undefined
    await gate(async () => {
      session = await this.#start(wanted, over)
    })
    // The gate has let the start through, or has thrown.
    if (!session) throw new OperationError({ code: "unavailable", message: `the server \`${name}\` was not started` })
    started(session)
    return session
  }

  async #start(wanted: () => boolean, over: () => void): Promise<Session> {
    const { name, open, startMs, peer, input, changed } = this.#options
    const kept = (): Transport => {
      this.#transport = open()
      return this.#transport
    }
    const start = { name, open: kept, startMs, peer: peer(), input, wanted, older: this.#older }
    const session = await connect(start, { ended: over, changed })
    this.#older = session.older
    return session
  }
}
