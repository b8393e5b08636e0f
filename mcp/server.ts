import { Client, type Tool, type Transport } from "@modelcontextprotocol/client"
import type { JsonObject } from "../effects/json.ts"
import { OperationError } from "../engine/errors.ts"
import { VERSION } from "../settings/version.ts"

/** Milliseconds. */
export interface ServerTimes {
  /** from the start to the end of the handshake */
  readonly startMs: number
  /** of one request; news of its progress starts it anew */
  readonly requestMs: number
}

export const TIMES: ServerTimes = Object.freeze({ startMs: 30_000, requestMs: 60_000 })

/** What a call may bring along. */
export interface CallOptions {
  readonly meta?: JsonObject | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * One MCP server, started when it is first needed and again after it has ended. A request is sent once: whether one that was
 * lost with its server has been carried out, nobody knows.
 */
export class Server {
  readonly name: string
  readonly #open: () => Transport
  readonly #times: ServerTimes
  #session: Promise<Client> | undefined
  #tools: Promise<readonly Tool[]> | undefined

  constructor(name: string, open: () => Transport, times: ServerTimes = TIMES) {
    this.name = name
    this.#open = open
    this.#times = times
  }

  /** Every page of the server's tools; asked for once, and again when the server says that they have changed. */
  tools(): Promise<readonly Tool[]> {
    this.#tools ??= this.#list().catch((cause) => {
      this.#tools = undefined
      throw cause
    })
    return this.#tools
  }

  async #list(): Promise<readonly Tool[]> {
    const client = await this.#connected()
    if (!client.getServerCapabilities()?.tools) return []
    return this.#asked(client.listTools(undefined, { timeout: this.#times.requestMs }).then(({ tools }) => tools))
  }

  /**
   * Sends one call.
   *
   * @returns the server's result as it came, also where it says `isError`
   * @throws OperationError `unavailable`, `timeout`, `cancelled`, or `protocol` with the server's own code in `data`.
   */
  async call(tool: string, args: JsonObject, { meta, signal }: CallOptions = {}): Promise<JsonObject> {
    const client = await this.#connected()
    const params = { name: tool, arguments: args, ...(meta ? { _meta: meta } : {}) }
    const options = {
      timeout: this.#times.requestMs,
      resetTimeoutOnProgress: true,
      ...(signal ? { signal } : {}),
    }
    return (await this.#asked(client.callTool(params, options), signal)) as JsonObject
  }

  /** Ends the session and, where the server is a child, all of its processes. */
  async close(): Promise<void> {
    const session = this.#session
    this.#session = undefined
    this.#tools = undefined
    await session?.then((client) => client.close()).catch(() => {})
  }

  #connected(): Promise<Client> {
    this.#session ??= this.#start().catch((cause) => {
      this.#session = undefined
      throw cause
    })
    return this.#session
  }

  async #start(): Promise<Client> {
    const client = new Client(
      { name: "detent", version: VERSION },
      { versionNegotiation: { mode: "auto", probe: { timeoutMs: Math.min(5000, this.#times.startMs / 2) } } },
    )
    const transport = this.#open()
    client.onclose = () => {
      this.#session = undefined
      this.#tools = undefined
    }
    client.setNotificationHandler("notifications/tools/list_changed", () => {
      this.#tools = undefined
    })
    try {
      await within(this.#times.startMs, client.connect(transport))
      return client
    } catch (cause) {
      await transport.close().catch(() => {})
      const why = cause instanceof OperationError ? cause.message : (cause as Error).message
      throw new OperationError({ code: "unavailable", message: `the server \`${this.name}\` did not start: ${why}` })
    }
  }

  /** A request's answer, or what went wrong in our words. */
  async #asked<T>(answer: Promise<T>, signal?: AbortSignal): Promise<T> {
    try {
      return await answer
    } catch (cause) {
      throw this.#errorOf(cause, signal)
    }
  }

  #errorOf(cause: unknown, signal: AbortSignal | undefined): OperationError {
    const { code, message, data } = cause as { code?: unknown; message?: unknown; data?: unknown }
    const said = String(message ?? cause)
    if (signal?.aborted) return new OperationError({ code: "cancelled", message: "the call was cancelled" })
    if (code === "REQUEST_TIMEOUT") {
      return new OperationError({
        code: "timeout",
        message: `\`${this.name}\` did not answer in ${this.#times.requestMs} ms`,
      })
    }
    if (typeof code === "number") {
      return new OperationError({
        code: "protocol",
        message: said,
        data: { code, ...(data === undefined ? {} : { data }) },
      })
    }
    return new OperationError({ code: "unavailable", message: `the server \`${this.name}\` was lost: ${said}` })
  }
}

/** @throws OperationError where it takes longer. */
async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new OperationError({ code: "timeout", message: `not ready in ${ms} ms` })), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
