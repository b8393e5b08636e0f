import type { ClientCapabilities } from "@modelcontextprotocol/server"
import type { JsonObject } from "../../effects/json.ts"
import { VERSION } from "../../settings/version.ts"
import type { InputPort, Peer } from "../peer.ts"
import { withoutSubscription } from "./revisions.ts"

/** One client of the gateway. */
export interface ConnectedClient {
  /** puts a question to it outside of any request, where it takes such */
  readonly input?: InputPort | undefined
  /** a notification of a server's */
  told(method: string, params: JsonObject): void
}

/** What a server may tell; anything else that comes as a notification is not passed on. */
const TOLD: ReadonlySet<string> = new Set([
  "notifications/message",
  "notifications/tools/list_changed",
  "notifications/prompts/list_changed",
  "notifications/resources/list_changed",
  "notifications/resources/updated",
  "notifications/elicitation/complete",
])

/** All clients of a gateway, as its servers see them: one peer. */
export class Clients {
  readonly #clients = new Set<ConnectedClient>()
  readonly #onFault: (text: string) => void
  readonly #told = new Set<string>()
  /** what the servers are told that their client can */
  capabilities: ClientCapabilities = {}

  /** @param onFault gets one sentence on each kind of news that is not passed on */
  constructor(onFault: (text: string) => void) {
    this.#onFault = onFault
  }

  /** Notes a client; the answer forgets it. */
  join(client: ConnectedClient): () => void {
    this.#clients.add(client)
    return () => this.#clients.delete(client)
  }

  /** @param alone whether the server is the only one: its log messages keep the logger's name */
  peer(server: string, alone: boolean): Peer {
    const [only, ...more] = this.#clients
    return {
      info: { name: "detent", title: "Detent", version: VERSION },
      capabilities: this.capabilities,
      input: more.length === 0 ? only?.input : undefined,
      notified: (method, params) => {
        if (!TOLD.has(method)) return this.dropped(`the server \`${server}\``, method)
        const said = method === "notifications/message" && !alone ? named(server, params) : withoutSubscription(params)
        for (const client of this.#clients) client.told(method, said)
      },
    }
  }

  /** What nobody knows the meaning of is passed on to nobody; that is said once. */
  dropped(whose: string, method: string): void {
    const about = `\`${method}\` of ${whose} is not passed on`
    if (this.#told.has(about)) return
    this.#told.add(about)
    this.#onFault(about)
  }
}

/** What the gateway passes on of what a client says that it can: the rest, tasks among it, a server would ask for in vain. */
export const carried = ({ elicitation, sampling, roots }: ClientCapabilities): ClientCapabilities => ({
  ...(elicitation && { elicitation }),
  ...(sampling && { sampling }),
  ...(roots && { roots }),
})

/** A log message that says whose it is. */
const named = (server: string, params: JsonObject): JsonObject => ({
  ...params,
  logger: typeof params.logger === "string" ? `${server}/${params.logger}` : server,
})
