import { LOG_LEVEL_META_KEY, type ServerCapabilities, type Tool, type Transport } from "@modelcontextprotocol/client"
import type { JsonObject } from "../effects/json.ts"
import { OperationError } from "../engine/errors.ts"
import type { AbortSignalLike } from "../policy/policy.ts"
import type { Session } from "./connect.ts"
import { failureOf } from "./failures.ts"
import { Input, MAX_ROUNDS } from "./input.ts"
import { LIMITS, type Limits } from "./limits.ts"
import { allPages, LISTS, type ListName } from "./lists.ts"
import { headersFor, paramHeadersOf } from "./param-headers.ts"
import { ALONE, type InputPort, type Peer } from "./peer.ts"
import { Standing } from "./standing.ts"
import { Subscriptions } from "./subscriptions.ts"
import type { Reply, Sending } from "./tap.ts"
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
  readonly #sending: Pick<Sending, "timeoutMs">
  readonly #turns: Turns
  readonly #input = new Input()
  readonly #standing: Standing
  readonly #subscriptions: Subscriptions
  readonly #lists = new Map<ListName, Promise<readonly JsonObject[]>>()
  #level: unknown

  constructor(name: string, options: ServerOptions) {
    this.name = name
    this.#options = options
    this.#limits = { ...LIMITS, ...options.limits }
    this.#sending = { timeoutMs: this.#limits.requestMs }
    this.#turns = new Turns(this.#limits.concurrency)
    this.#subscriptions = new Subscriptions(this.#limits.requestMs)
    this.#standing = new Standing({
      name,
      open: options.open,
      startMs: this.#limits.startMs,
      input: this.#input,
      peer: () => this.#peer(),
      gate: options.gate,
      started: (session) => {
        // A server that does not take a level costs its log, not its start.
        this.#tellLevel(session).catch(() => {})
        this.#subscriptions.renew(session)
      },
      changed: () => this.#lists.clear(),
    })
  }

  /** Whether a session is there, or on its way. */
  get lives(): boolean {
    return this.#standing.lives
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
    const { client, tap, envelope } = await this.#standing.get()
    const list = LISTS[name]
    if (!client.getServerCapabilities()?.[list.capability]) return []
    try {
      return await allPages(
        list,
        async (params) => (await tap.request(list.method, params, envelope, this.#sending)).result,
      )
    } catch (cause) {
      throw this.#errorOf(cause)
    }
  }

  /** What the server says of itself; it is started for that. @throws OperationError */
  async about(): Promise<{ readonly capabilities: ServerCapabilities; readonly instructions?: string }> {
    const { client } = await this.#standing.get()
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
    const session = await this.#standing.now()
    if (session) await this.#tellLevel(session)
  }

  async #tellLevel({ client, tap, envelope }: Session): Promise<void> {
    if (this.#level === undefined || envelope || !client.getServerCapabilities()?.logging) return
    try {
      await tap.request("logging/setLevel", { level: this.#level }, undefined, this.#sending)
    } catch (cause) {
      throw this.#errorOf(cause)
    }
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
      const { tap, envelope } = await this.#standing.get()
      // A server of the 2026 revision is told the level with each request.
      const level = this.#level === undefined ? {} : { [LOG_LEVEL_META_KEY]: this.#level }
      const whole = envelope ? { ...envelope, ...level, ...meta } : meta
      const headers = envelope && tap.hasPerRequestStream ? await this.#headersFor(method, params) : undefined
      const sending = { ...this.#sending, signal, onProgress, headers }
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

  /** A server of the 2026 revision may want some arguments as headers too; one that cannot be listed is called without. */
  async #headersFor(method: string, { name, arguments: args }: JsonObject): Promise<Sending["headers"]> {
    if (method !== "tools/call") return undefined
    const tools = await this.tools().catch(() => [])
    return headersFor(paramHeadersOf(tools.find((tool) => tool.name === name)?.inputSchema), args)
  }

  /** Asks to be told of changes of a resource, also after each start anew. @throws OperationError */
  subscribe = (uri: string): Promise<void> => this.#follow("add", uri)

  /** Takes that back. @throws OperationError */
  unsubscribe = (uri: string): Promise<void> => this.#follow("remove", uri)

  async #follow(how: "add" | "remove", uri: string): Promise<void> {
    try {
      await this.#subscriptions[how](await this.#standing.get(), uri)
    } catch (cause) {
      throw this.#errorOf(cause)
    }
  }

  /** Tells the server something, where it is running. */
  async notify(method: string, params: JsonObject): Promise<void> {
    const session = await this.#standing.now()
    await session?.client.notification({ method, params })
  }

  /** Ends the session, or a start under way, and, where the server is a child, all of its processes. */
  close = (): Promise<void> => this.#standing.close()

  #peer(): Peer {
    return this.#options.peer?.() ?? ALONE
  }

  #errorOf(cause: unknown, signal?: AbortSignalLike): OperationError {
    const { ended } = this.#standing
    return failureOf(cause, { server: this.name, requestMs: this.#limits.requestMs, ended, signal })
  }
}
