import { LOG_LEVEL_META_KEY, type ServerCapabilities, type Tool, type Transport } from "@modelcontextprotocol/client"
import type { JsonObject } from "../effects/json.ts"
import { OperationError } from "../engine/errors.ts"
import type { AbortSignalLike } from "../policy/policy.ts"
import { connect, endOf, type Session } from "./connect.ts"
import { failureOf } from "./failures.ts"
import { Input, MAX_ROUNDS } from "./input.ts"
import { LIMITS, type Limits } from "./limits.ts"
import { allPages, LISTS, type ListName } from "./lists.ts"
import { ALONE, type InputPort, type Peer } from "./peer.ts"
import { Subscriptions } from "./subscriptions.ts"
import type { Reply } from "./tap.ts"
import { Turns } from "./turns.ts"

/** What a request may bring along. */
export interface RequestOptions {
  readonly meta?: JsonObject | undefined
  readonly signal?: AbortSignalLike | undefined
  readonly onProgress?: ((progress: JsonObject) => void) | undefined
  /** answers what the server asks of its client meanwhile */
  readonly input?: InputPort | undefined
}

export interface ServerOptions {
  readonly open: () => Transport
  readonly limits?: Partial<Limits>
  readonly peer?: () => Peer
  /** stands around each start: hooks may refuse it */
  readonly gate?: (start: () => Promise<void>) => Promise<void>
}

/**
 * One MCP server, started when it is first needed and again after it has ended. A request is sent once: whether one that was
 * lost with its server has been carried out, nobody knows.
 */
export class Server {
  readonly name: string
  readonly #options: ServerOptions
  readonly #limits: Limits
  readonly #turns: Turns
  readonly #input = new Input()
  #session: Promise<Session> | undefined
  readonly #subscriptions: Subscriptions
  readonly #lists = new Map<ListName, Promise<readonly JsonObject[]>>()
  #level: unknown
  #transport: Transport | undefined

  constructor(name: string, options: ServerOptions) {
    this.name = name
    this.#options = options
    this.#limits = { ...LIMITS, ...options.limits }
    this.#turns = new Turns(this.#limits.concurrency)
    this.#subscriptions = new Subscriptions(this.#limits.requestMs)
  }

  /** Whether a session is there, or on its way. */
  get lives(): boolean {
    return this.#session !== undefined
  }

  /** Every page of the server's tools; asked for once, and again when the server says that they have changed. */
  tools(): Promise<readonly Tool[]> {
    return this.list("tools") as unknown as Promise<readonly Tool[]>
  }

  /** Every page of one of the server's lists; empty where it has none of the kind. */
  list(name: ListName): Promise<readonly JsonObject[]> {
    const known = this.#lists.get(name)
    if (known) return known
    const listing = this.#list(name).catch((cause) => {
      this.#lists.delete(name)
      throw cause
    })
    this.#lists.set(name, listing)
    return listing
  }

  async #list(name: ListName): Promise<readonly JsonObject[]> {
    const { client, tap, envelope } = await this.#connected()
    const list = LISTS[name]
    if (!client.getServerCapabilities()?.[list.capability]) return []
    try {
      return await allPages(
        list,
        async (params) => (await tap.request(list.method, params, envelope, this.#sending())).result,
      )
    } catch (cause) {
      throw this.#errorOf(cause)
    }
  }

  /** What the server says of itself; it is started for that. @throws OperationError */
  async about(): Promise<{ readonly capabilities: ServerCapabilities; readonly instructions?: string }> {
    const { client } = await this.#connected()
    const instructions = client.getInstructions()
    return {
      capabilities: client.getServerCapabilities() ?? {},
      ...(instructions === undefined ? {} : { instructions }),
    }
  }

  /**
   * Sets the level of the server's log messages, in the way of its revision: from now on, and after each start.
   *
   * @throws OperationError where a running server refuses it.
   */
  async setLevel(level: unknown): Promise<void> {
    this.#level = level
    const session = await this.#session?.catch(() => undefined)
    if (session) await this.#tellLevel(session)
  }

  async #tellLevel({ client, tap, envelope }: Session): Promise<void> {
    if (this.#level === undefined || envelope || !client.getServerCapabilities()?.logging) return
    try {
      await tap.request("logging/setLevel", { level: this.#level }, undefined, this.#sending())
    } catch (cause) {
      throw this.#errorOf(cause)
    }
  }

  /** A server of the 2026 revision is told the level with each request. */
  #levelled(): JsonObject {
    return this.#level === undefined ? {} : { [LOG_LEVEL_META_KEY]: this.#level }
  }

  /**
   * Sends one call.
   *
   * @returns the server's result as it came, also where it says `isError`
   * @throws OperationError `unavailable`, `timeout`, `cancelled`, or `protocol` with the server's own code in `data`.
   */
  async call(tool: string, args: JsonObject, options: RequestOptions = {}): Promise<JsonObject> {
    return (await this.request("tools/call", { name: tool, arguments: args }, options)).result
  }

  /**
   * Sends one request of any kind, and answers what the server asks of its client meanwhile.
   *
   * @throws OperationError as `call` does.
   */
  async request(method: string, params: JsonObject, options: RequestOptions = {}): Promise<Reply> {
    const { signal, onProgress, input, meta } = options
    const release = await this.#turns.take(signal)
    const over = input && this.#input.during(input)
    try {
      const { tap, envelope } = await this.#connected()
      const whole = envelope ? { ...envelope, ...this.#levelled(), ...meta } : meta
      const sending = { timeoutMs: this.#limits.requestMs, signal, onProgress }
      let sent = params
      for (let round = 0; round < MAX_ROUNDS; round++) {
        const reply = await tap.request(method, sent, whole, sending)
        if (reply.result.resultType !== "input_required") return reply
        sent = { ...params, ...(await this.#input.answers(reply.result, input ?? this.#peer().input)) }
      }
      throw new OperationError({
        code: "protocol",
        message: `\`${this.name}\` asked for input more than ${MAX_ROUNDS} times`,
      })
    } catch (cause) {
      throw this.#errorOf(cause, signal)
    } finally {
      over?.()
      release()
    }
  }

  /** Asks to be told of changes of a resource, also after each start anew. @throws OperationError */
  async subscribe(uri: string): Promise<void> {
    await this.#connected()
      .then((session) => this.#subscriptions.add(session, uri))
      .catch((cause) => {
        throw this.#errorOf(cause)
      })
  }

  /** Takes that back. @throws OperationError */
  async unsubscribe(uri: string): Promise<void> {
    await this.#connected()
      .then((session) => this.#subscriptions.remove(session, uri))
      .catch((cause) => {
        throw this.#errorOf(cause)
      })
  }

  /** Tells the server something, where it is running. */
  async notify(method: string, params: JsonObject): Promise<void> {
    const session = await this.#session?.catch(() => undefined)
    await session?.client.notification({ method, params })
  }

  /** Ends the session, or a start under way, and, where the server is a child, all of its processes. */
  async close(): Promise<void> {
    const session = this.#session
    this.#session = undefined
    await this.#transport?.close().catch(() => {})
    await session?.then(({ client }) => client.close()).catch(() => {})
  }

  #sending(): { readonly timeoutMs: number } {
    return { timeoutMs: this.#limits.requestMs }
  }

  #peer(): Peer {
    return this.#options.peer?.() ?? ALONE
  }

  #connected(): Promise<Session> {
    this.#session ??= this.#begin().catch((cause) => {
      this.#session = undefined
      throw cause
    })
    return this.#session
  }

  async #begin(): Promise<Session> {
    const { gate } = this.#options
    if (!gate) return this.#start()
    let session: Session | undefined
    await gate(async () => {
      session = await this.#start()
    })
    // The gate has let the start through, or has thrown.
    if (session) return session
    throw new OperationError({ code: "unavailable", message: `the server \`${this.name}\` was not started` })
  }

  async #start(): Promise<Session> {
    const transport = this.#options.open()
    this.#transport = transport
    const session = await connect(this.name, transport, this.#limits.startMs, this.#peer(), this.#input, {
      ended: () => {
        this.#session = undefined
        this.#lists.clear()
      },
      changed: () => this.#lists.clear(),
    })
    // A server that does not take a level costs its log, not its start.
    this.#tellLevel(session).catch(() => {})
    this.#subscriptions.renew(session)
    return session
  }

  #errorOf(cause: unknown, signal?: AbortSignalLike): OperationError {
    const ended = this.#transport && endOf(this.#transport)()
    return failureOf(cause, { server: this.name, requestMs: this.#limits.requestMs, ended, signal })
  }
}
