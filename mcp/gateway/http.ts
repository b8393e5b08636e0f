import { randomUUID } from "node:crypto"
import {
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server"
import type { JsonObject } from "../../effects/json.ts"
import { mismatch } from "../param-headers.ts"
import { bodyOf, MAX_BODY_BYTES } from "./body.ts"
import type { Clients } from "./clients.ts"
import type { Gateway } from "./gateway.ts"
import { type Doorkeeper, doorkeeper } from "./origin.ts"
import { Rounds } from "./rounds.ts"
import { Sent } from "./sent.ts"
import { Session } from "./session.ts"
import { followSubscriptions } from "./subscriptions.ts"

/** The revision's own code for headers that say something else than the body. */
const HEADER_MISMATCH = -32020

/** Milliseconds after which a session that nobody has used is gone. */
const IDLE_MS = 30 * 60_000

/** Sessions of clients of older revisions at once. */
const MAX_SESSIONS = 1000

/** How a client of the 2026 revision asks to be told. */
const LISTEN = "subscriptions/listen"

export interface HttpOptions {
  readonly gateway: Gateway
  readonly clients: Clients
  /** looks at where requests are from; absent: pages of this machine may come, and no others */
  readonly door?: Doorkeeper
  readonly onFault: (text: string) => void
  /** gets why a message went no further, before its sender does; absent: `onFault` does */
  readonly onRefused?: (why: string) => Promise<void>
}

interface Standing {
  readonly transport: WebStandardStreamableHTTPServerTransport
  readonly sent: ReturnType<Sent["session"]>
  used: number
}

/** The gateway over Streamable HTTP: one request in, one response out. */
export class HttpGateway {
  readonly #options: HttpOptions
  readonly #door
  readonly #rounds = new Rounds()
  readonly #sent = new Sent()
  readonly #sessions = new Map<string, Standing>()
  readonly #modern: McpHttpHandler
  readonly #leave: () => void
  readonly #resting = new AbortController()

  constructor(options: HttpOptions) {
    const { clients, door = doorkeeper(), onFault } = options
    this.#options = options
    this.#door = door
    // Whoever comes may be able to answer: what a server asks of one that is not is told to the server.
    clients.capabilities = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} }
    this.#modern = createMcpHandler(async () => (await this.#open("modern")).server, {
      legacy: "reject",
      maxRequestBodySize: MAX_BODY_BYTES,
      onerror: (error) => onFault(error.message),
    })
    const { notify } = this.#modern
    this.#leave = clients.join({
      told: (method, params) => {
        if (method === "notifications/tools/list_changed") notify.toolsChanged()
        else if (method === "notifications/prompts/list_changed") notify.promptsChanged()
        else if (method === "notifications/resources/list_changed") notify.resourcesChanged()
        else if (method === "notifications/resources/updated") notify.resourceUpdated(String(params.uri))
      },
    })
  }

  /** Serves one request. INVARIANT: where it is from is looked at before its body is read (test/mcp/http.test.ts). */
  async fetch(request: Request): Promise<Response> {
    const { headers } = request
    const why = this.#door.refuses({ origin: headers.get("origin"), host: headers.get("host") })
    if (why !== undefined) {
      this.#options.onFault(`a request is refused: ${why}`)
      return refused(403, -32000, why)
    }
    if (request.method !== "POST") return this.#standing(request)
    const body = await bodyOf(request)
    if ("code" in body) {
      const { onRefused, onFault } = this.#options
      if (onRefused) await onRefused(body.message)
      else onFault(`a message is refused: ${body.message}`)
      return refused(body.status, body.code, body.message)
    }
    const { message } = body
    return (await isLegacyRequest(request, message)) ? this.#legacy(request, message) : this.#single(request, message)
  }

  /** A request of the newer revision, which stands for itself. */
  async #single(request: Request, message: JsonObject): Promise<Response> {
    const { gateway } = this.#options
    await followSubscriptions(gateway, message, request.signal)
    if (message.method === "tools/call") {
      const { name, arguments: args } = (message.params ?? {}) as JsonObject
      const why = mismatch(await gateway.paramHeaders(String(name)), args, request.headers)
      if (why !== undefined) return refused(400, HEADER_MISMATCH, why, message.id)
    }
    const response = await this.#modern.fetch(request, { parsedBody: message })
    return message.method === LISTEN ? this.#untilRest(response) : response
  }

  /** Ends what clients are told outside of any request, which would else never end; requests under way go on. */
  rest(): void {
    for (const { transport } of this.#sessions.values()) transport.closeStandaloneSSEStream()
    this.#resting.abort()
  }

  #untilRest(response: Response): Response {
    const { signal } = this.#resting
    const until = new TransformStream<Uint8Array, Uint8Array>({
      start: (controller) => signal.addEventListener("abort", () => controller.terminate(), { once: true }),
    })
    return new Response(response.body?.pipeThrough(until) ?? null, response)
  }

  /** Ends all sessions. */
  async close(): Promise<void> {
    this.#leave()
    this.#rounds.close()
    await Promise.all([...this.#sessions.values()].map(({ transport }) => transport.close()))
    await this.#modern.close()
  }

  #open(era: "legacy" | "modern"): Promise<Session> {
    const { gateway, clients } = this.#options
    // A client of the newer revision is nobody from one request to the next: what it resumes it knows by an id that none can guess.
    return Session.open({ gateway, clients, rounds: this.#rounds, era, owner: "http" })
  }

  /** A stream or the end of a session that stands. */
  #standing(request: Request): Promise<Response> | Response {
    const session = this.#sessions.get(request.headers.get("mcp-session-id") ?? "")
    if (!session) return refused(request.method === "GET" ? 405 : 404, -32001, "there is no such session")
    session.used = Date.now()
    const last = request.headers.get("last-event-id")
    if (last !== null && !session.sent.knows(last)) {
      return refused(400, -32000, `what came after the event ${JSON.stringify(last)} is not kept any more`)
    }
    return session.transport.handleRequest(request)
  }

  async #legacy(request: Request, message: JsonObject): Promise<Response> {
    const id = request.headers.get("mcp-session-id")
    if (id !== null) {
      const session = this.#sessions.get(id)
      if (!session) return refused(404, -32001, "there is no such session: begin with `initialize`")
      session.used = Date.now()
      return session.transport.handleRequest(request, { parsedBody: message })
    }
    if (message.method !== "initialize") return refused(400, -32000, "a session begins with `initialize`")
    this.#sweep()
    if (this.#sessions.size >= MAX_SESSIONS) return refused(503, -32000, `more than ${MAX_SESSIONS} sessions`)
    return (await this.#begin()).handleRequest(request, { parsedBody: message })
  }

  async #begin(): Promise<WebStandardStreamableHTTPServerTransport> {
    const session = await this.#open("legacy")
    const sent = this.#sent.session()
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: MAX_BODY_BYTES,
      eventStore: sent,
      onsessioninitialized: (id) => {
        this.#sessions.set(id, { transport, sent, used: Date.now() })
      },
      onsessionclosed: (id) => {
        this.#sessions.delete(id)
        sent.forget()
      },
    })
    await session.server.connect(transport)
    return transport
  }

  #sweep(): void {
    const now = Date.now()
    for (const [id, { transport, sent, used }] of this.#sessions) {
      if (now - used < IDLE_MS) continue
      this.#sessions.delete(id)
      sent.forget()
      transport.close().catch(() => {})
    }
  }
}

function refused(status: number, code: number, message: string, id: unknown = null): Response {
  return Response.json({ jsonrpc: "2.0", id, error: { code, message } }, { status })
}
