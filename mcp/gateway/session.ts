import { randomUUID } from "node:crypto"
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  LOG_LEVEL_META_KEY,
  ProtocolError,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server"
import { z } from "zod"
import { isObject, type JsonObject } from "../../effects/json.ts"
import { VERSION } from "../../settings/version.ts"
import type { InputRequest } from "../peer.ts"
import { asProtocolError } from "./answer.ts"
import type { Clients, ConnectedClient } from "./clients.ts"
import type { Answer, Gateway } from "./gateway.ts"
import { type Leg, partsOfMeta } from "./leg.ts"
import { checked, METHODS } from "./methods.ts"
import { asOlder } from "./revisions.ts"
import type { Needs, Rounds } from "./rounds.ts"
import { Followed } from "./subscriptions.ts"

const METHOD_NOT_FOUND = -32601

/** The requests that may need input before they have a result. */
const IN_ROUNDS: ReadonlySet<string> = new Set(["tools/call", "prompts/get", "resources/read"])

const anyResult = z.record(z.string(), z.unknown())

/** What a server may ask of a client, and what the client must be able to do for it. */
const NEEDED: Readonly<Record<string, keyof ClientCapabilities>> = Object.freeze({
  "elicitation/create": "elicitation",
  "sampling/createMessage": "sampling",
  "roots/list": "roots",
})

export interface SessionOptions {
  readonly gateway: Gateway
  readonly clients: Clients
  readonly rounds: Rounds
  readonly era: "legacy" | "modern"
  /** whoever this client is, where one session is not one connection; absent: this connection */
  readonly owner?: string
}

/** One client's session: the SDK does the handshake and the revisions, and everything else goes to the gateway. */
export class Session implements ConnectedClient {
  readonly server: Server
  readonly #options: SessionOptions
  readonly #owner: string
  readonly #legs = new Set<Leg>()
  readonly #followed: Followed

  private constructor(server: Server, options: SessionOptions) {
    this.server = server
    this.#options = options
    this.#owner = options.owner ?? randomUUID()
    // The SDK keeps the level to itself; here it is the servers' to heed.
    server.removeRequestHandler("logging/setLevel")
    server.fallbackRequestHandler = ({ method, params }, context) =>
      this.#serve(method, (params ?? {}) as JsonObject, context)
    server.setNotificationHandler("notifications/roots/list_changed", () =>
      options.gateway.notify("notifications/roots/list_changed", {}),
    )
    server.fallbackNotificationHandler = async ({ method }) => options.clients.dropped("a client", method)
    this.#followed = new Followed(options.gateway)
    const leave = options.clients.join(this)
    server.onclose = () => {
      leave()
      this.#followed.leave()
    }
  }

  /** @returns a session that is not yet connected */
  static async open(options: SessionOptions): Promise<Session> {
    const { capabilities, instructions } = await options.gateway.about()
    const about = { name: "detent", title: "Detent", version: VERSION }
    const server = new Server(about, { capabilities, ...(instructions === undefined ? {} : { instructions }) })
    return new Session(server, options)
  }

  /** A client of an older revision can be asked at any time. */
  get input(): ConnectedClient["input"] {
    if (this.#options.era === "modern") return undefined
    return (request) => this.#push(request)
  }

  told(method: string, params: JsonObject): void {
    if (method === "notifications/resources/updated" && !this.#wants(String(params.uri))) return
    if (method === "notifications/message" && this.#options.era === "modern") {
      // A log message belongs to a request that asked for it; its server does not say which.
      const [asking] = [...this.#legs].filter(({ meta }) => meta?.[LOG_LEVEL_META_KEY] !== undefined)
      asking?.notify(method, params)
      return
    }
    // A client that has just gone needs no news.
    this.server.notification({ method, params }).catch(() => {})
  }

  #wants(uri: string): boolean {
    return this.#options.era === "modern" || this.#followed.has(uri)
  }

  /** One call, in all its rounds. */
  async call(params: JsonObject, leg: Leg, round?: Parameters<Rounds["serve"]>[2]): Promise<Answer> {
    const { gateway } = this.#options
    const served = await this.#inRounds(leg, round, (through) => gateway.call(checked(params, "name"), through))
    return "needs" in served ? { result: served.needs } : served.done
  }

  async #inRounds<T>(
    leg: Leg,
    round: Parameters<Rounds["serve"]>[2] | undefined,
    run: (leg: Leg) => Promise<T>,
  ): Promise<{ readonly done: T } | Needs> {
    if (this.#options.era === "modern") this.#legs.add(leg)
    try {
      if (this.#options.era === "legacy" || !round) return { done: await run(leg) }
      return await this.#options.rounds.serve(this.#owner, leg, round, run)
    } catch (cause) {
      throw asProtocolError(cause)
    } finally {
      this.#legs.delete(leg)
    }
  }

  async #serve(method: string, params: JsonObject, context: ServerContext): Promise<JsonObject> {
    const serve = Object.hasOwn(METHODS, method) ? METHODS[method] : undefined
    if (!serve) throw new ProtocolError(METHOD_NOT_FOUND, `the gateway does not carry \`${method}\``)
    const { inputResponses: responses, requestState } = context.mcpReq
    const round = IN_ROUNDS.has(method) ? { state: requestState(), responses } : undefined
    const served = await this.#inRounds(this.#legOf(params, context), round, (leg) =>
      serve(this.#options.gateway, params, leg, this.#followed),
    )
    if ("needs" in served) return served.needs
    return this.#options.era === "legacy" ? asOlder(served.done) : served.done
  }

  #legOf(params: JsonObject, { mcpReq }: ServerContext): Leg {
    const envelope = mcpReq.envelope as JsonObject | undefined
    const level = envelope?.[LOG_LEVEL_META_KEY]
    const given = isObject(params._meta) ? params._meta : undefined
    const meta = level === undefined ? given : { ...given, [LOG_LEVEL_META_KEY]: level }
    return {
      ...partsOfMeta(meta),
      signal: mcpReq.signal,
      can: this.can(envelope),
      input: (request) => this.#push(request, mcpReq.send),
      notify: (method, about) => void mcpReq.notify({ method, params: about }).catch(() => {}),
    }
  }

  /** What the client says that it can do, with each request or at the handshake. */
  can(envelope: JsonObject | undefined): ClientCapabilities {
    const said = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? this.server.getClientCapabilities()
    return isObject(said) ? said : {}
  }

  /** Puts a question to a client of an older revision, as a request of ours. */
  async #push({ method, params }: InputRequest, send?: ServerContext["mcpReq"]["send"]): Promise<JsonObject> {
    const needed = NEEDED[method]
    if (!needed || !this.can(undefined)[needed]) {
      throw new ProtocolError(METHOD_NOT_FOUND, `the client does not support \`${method}\``)
    }
    const request = { method, params: { ...params } }
    // A person may take their time; whoever asks has a deadline of their own.
    const options = { timeout: PATIENCE_MS }
    return send ? send(request, anyResult, options) : this.server.request(request, anyResult, options)
  }
}

const PATIENCE_MS = 10 * 60_000
