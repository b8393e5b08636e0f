import { Client as NewClient } from "@modelcontextprotocol/client"
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js"
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from "@modelcontextprotocol/sdk/types.js"
import { z } from "zod"
import type { JsonObject } from "../../../effects/json.ts"

/** Which client of the official SDKs: that of 1.x, or that of 2.x beginning in the older or the newer revision. */
export type Kind = "1.x" | "2.x legacy" | "2.x modern"

/** What came of one step: the answer as it came over the wire, and all that came before it, in its order. */
export interface Told {
  readonly answer: unknown
  readonly heard: readonly JsonObject[]
}

const CAPABILITIES = { sampling: {}, elicitation: { form: {}, url: {} } }

/** What the client's model and its user answer. */
const ANSWERS: Readonly<Record<string, JsonObject>> = {
  "sampling/createMessage": { model: "m", role: "assistant", content: { type: "text", text: "said the model" } },
  "elicitation/create": { action: "accept", content: { name: "Ada", username: "ada", email: "ada@example.org" } },
  "roots/list": { roots: [{ uri: "file:///root", name: "root" }] },
}

interface Message extends JsonObject {
  readonly method?: string
  readonly id?: unknown
  readonly result?: JsonObject
  readonly error?: JsonObject
}

/** As much of a transport as is listened in on. */
interface Wire {
  onmessage?: ((message: never, extra?: never) => void) | undefined
}

interface Requester {
  request(request: JsonObject, schema: unknown, options: JsonObject): Promise<unknown>
  notification(notification: JsonObject): Promise<void>
  close(): Promise<void>
}

const anything = z.looseObject({})

/** A client that notes all that its server sends, in the order in which it comes. */
export class Driver {
  readonly #client: Requester
  #heard: JsonObject[] = []
  #answers: Message[] = []

  private constructor(client: Requester) {
    this.#client = client
  }

  static async connect(kind: Kind, transport: object, roots: boolean): Promise<Driver> {
    const about = { name: "replay", version: "1" }
    const capabilities = { ...CAPABILITIES, ...(roots && { roots: {} }) }
    const client =
      kind === "1.x"
        ? new OldClient(about, { capabilities })
        : new NewClient(about, {
            capabilities,
            versionNegotiation: { mode: kind === "2.x modern" ? "auto" : "legacy" },
          })
    const driver = new Driver(client as unknown as Requester)
    const answer = (method: string) => async (request: { params?: unknown }) => {
      driver.#heard.push({ method, params: request.params ?? {} })
      return ANSWERS[method] as never
    }
    if (client instanceof OldClient) {
      client.setRequestHandler(CreateMessageRequestSchema, answer("sampling/createMessage"))
      client.setRequestHandler(ElicitRequestSchema, answer("elicitation/create"))
      if (roots) client.setRequestHandler(ListRootsRequestSchema, answer("roots/list"))
    } else {
      client.setRequestHandler("sampling/createMessage", answer("sampling/createMessage"))
      client.setRequestHandler("elicitation/create", answer("elicitation/create"))
      if (roots) client.setRequestHandler("roots/list", answer("roots/list"))
    }
    await client.connect(transport as never)
    driver.#listen(transport as Wire)
    return driver
  }

  #listen(wire: Wire): void {
    const { onmessage } = wire
    wire.onmessage = (message: Message, extra?: never) => {
      if (message.method === undefined) this.#answers.push(message)
      else if (message.id === undefined) this.#heard.push({ method: message.method, params: message.params ?? {} })
      onmessage?.(message as never, extra)
    }
  }

  /** Sends one request, which wants news of its progress, and waits for its answer. */
  async request(method: string, params: JsonObject = {}, signal?: AbortSignal): Promise<Told> {
    this.#heard = []
    this.#answers = []
    const more = { ...(signal && { signal }), onprogress: () => {} }
    const send = async () => this.#client.request({ method, params }, anything, more)
    const failed = await send().then(
      () => undefined,
      (cause: { code?: unknown; message?: unknown }) => ({ code: cause.code, message: cause.message }),
    )
    const last = this.#answers.at(-1)
    const answer = last === undefined ? { failed } : last.error ? { error: last.error } : { result: last.result }
    return { answer, heard: this.#heard }
  }

  notify(method: string, params: JsonObject = {}): Promise<void> {
    return this.#client.notification({ method, params })
  }

  /** Waits until so much has been heard since the last request. */
  async hears(method: string): Promise<JsonObject> {
    for (let tries = 0; tries < 250; tries++) {
      const found = this.#heard.find((one) => one.method === method)
      if (found) return found
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    throw new Error(`nothing was heard of ${method}`)
  }

  close(): Promise<void> {
    return this.#client.close()
  }
}
