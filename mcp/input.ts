import { type Client, ProtocolError } from "@modelcontextprotocol/client"
import { isObject, type JsonObject } from "../effects/json.ts"
import { OperationError } from "../engine/errors.ts"
import { InFlight } from "./in-flight.ts"
import type { InputPort, Peer } from "./peer.ts"

/** How often a server may ask for more before one answer. */
export const MAX_ROUNDS = 16

const METHOD_NOT_FOUND = -32601
const INTERNAL_ERROR = -32603

/** What is known of the requests under way with one server, so that what it asks reaches whoever caused it. */
export class Input {
  readonly #under = new InFlight<InputPort, InputPort>()

  /** Notes a request that is under way; the answer ends it. */
  during(input: InputPort): () => void {
    this.#under.add(input, input)
    return () => this.#under.delete(input)
  }

  /** The answers to a result that asks for input, as the next round carries them. */
  async answers(result: JsonObject, input: InputPort | undefined): Promise<JsonObject> {
    const asked = Object.entries(isObject(result.inputRequests) ? result.inputRequests : {})
    const answered = await Promise.all(
      asked.map(async ([key, request]) => {
        if (!isObject(request) || typeof request.method !== "string" || !input) {
          throw new OperationError({
            code: "protocol",
            message: `the server asks for \`${key}\`, and nobody can answer`,
          })
        }
        const params = isObject(request.params) ? request.params : {}
        return [key, await input({ method: request.method, params })] as const
      }),
    )
    return {
      ...(asked.length > 0 ? { inputResponses: Object.fromEntries(answered) } : {}),
      ...(result.requestState === undefined ? {} : { requestState: result.requestState }),
    }
  }

  /** Lets a client of an older revision answer its server, where the peer can do what is asked. */
  serve(client: Client, peer: Peer): void {
    const { elicitation, sampling, roots } = peer.capabilities
    const answer = (method: string) => async (request: { params?: unknown }) =>
      (await this.#port(peer)({ method, params: (request.params ?? {}) as JsonObject })) as never
    if (elicitation) client.setRequestHandler("elicitation/create", answer("elicitation/create"))
    if (sampling) client.setRequestHandler("sampling/createMessage", answer("sampling/createMessage"))
    if (roots) client.setRequestHandler("roots/list", answer("roots/list"))
  }

  /** A server of an older revision does not say which request it asks for: with one under way it is that one. */
  #port(peer: Peer): InputPort {
    const [only, ...more] = this.#under.all()
    if (only && more.length === 0) return only
    if (peer.input) return peer.input
    const message =
      more.length > 0
        ? "several requests are under way, and nobody can tell for which this is"
        : "nobody can be asked here"
    throw new ProtocolError(only ? INTERNAL_ERROR : METHOD_NOT_FOUND, message)
  }
}
