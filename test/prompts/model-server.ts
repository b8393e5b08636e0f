import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** What the server does with one request. */
export interface Behaviour {
  /** the answer's text; for anthropic the input of the tool, as JSON */
  readonly text?: string | null
  /** words beside, or in place of, the tool (anthropic) */
  readonly words?: string
  /** several tools' inputs, as JSON texts (anthropic) */
  readonly inputs?: readonly string[]
  /** several choices' texts (openai) */
  readonly choices?: readonly string[]
  /** as the provider writes it; null: it says nothing */
  readonly stop?: string | null
  /** false: no tokens are counted */
  readonly usage?: false
  readonly refusal?: string
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** sent as it is in place of an answer */
  readonly raw?: string
  /** sent again and again, until nobody listens any more */
  readonly endless?: string
  /** milliseconds before anything is sent */
  readonly delayMs?: number
  /** never answers */
  readonly silent?: true
  /** sends the status and the headers, half of a stream's events, and then nothing more */
  readonly stalls?: true
  /** ends the connection: before anything is sent, or in the middle of a stream */
  readonly cut?: true
}

export interface Received {
  readonly path: string
  readonly headers: IncomingMessage["headers"]
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into it
  readonly body: any
  /** whether the client went away before the answer */
  closed: boolean
}

/** What the server says where nobody should hear it. */
export const SAID = "SECRET FROM THE SERVER"

/** A real HTTP server on loopback that speaks both wire protocols, whole and as streams. */
export class ModelServer {
  readonly received: Received[] = []
  /** what each request in turn meets; the last one stays */
  behaviours: Behaviour[] = [{ text: "{}" }]
  /** the most requests that were open at once */
  peak = 0
  #open = 0
  readonly #server = createServer((request, response) => this.#serve(request, response))

  static async start(...behaviours: Behaviour[]): Promise<ModelServer> {
    const server = new ModelServer()
    if (behaviours.length > 0) server.behaviours = behaviours
    await new Promise<void>((resolve) => server.#server.listen(0, "127.0.0.1", resolve))
    return server
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** As `baseUrl`: openai's SDK appends `/chat/completions`, anthropic's `/v1/messages`. */
  baseUrl(provider: "openai" | "anthropic"): string {
    return provider === "openai" ? `${this.origin}/v1` : this.origin
  }

  /** Forgets what was received, and answers so from now on. */
  answer(...behaviours: Behaviour[]): void {
    this.received.length = 0
    this.peak = 0
    this.behaviours = behaviours
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = ""
    for await (const chunk of request) text += chunk
    const behaviour = this.behaviours[Math.min(this.received.length, this.behaviours.length - 1)]!
    const received: Received = {
      path: request.url ?? "",
      headers: request.headers,
      body: JSON.parse(text),
      closed: false,
    }
    this.received.push(received)
    this.peak = Math.max(this.peak, ++this.#open)
    response.on("close", () => {
      this.#open--
      received.closed = !response.writableFinished
    })
    if (behaviour.silent) return
    if (behaviour.delayMs) await new Promise((resolve) => setTimeout(resolve, behaviour.delayMs))
    if (behaviour.cut && !received.body.stream) return void request.socket.destroy()
    send(received, behaviour, response)
  }
}

function send({ path, body }: Received, behaviour: Behaviour, response: ServerResponse): void {
  const { status = 200, headers = {}, raw, stalls, endless } = behaviour
  if (endless !== undefined) {
    response.writeHead(status, { "content-type": "application/json", ...headers })
    sendForEver(endless, response)
    return
  }
  if (status !== 200 || raw !== undefined) {
    response.writeHead(status, { "content-type": "application/json", ...headers })
    response.end(raw ?? JSON.stringify({ error: { type: "test", message: SAID } }))
    return
  }
  const speak = path.endsWith("/messages") ? anthropic : openai
  if (!body.stream) {
    response.writeHead(200, { "content-type": "application/json", ...headers })
    if (stalls) response.flushHeaders()
    else response.end(speak.whole(behaviour))
    return
  }
  response.writeHead(200, { "content-type": "text/event-stream", ...headers })
  const events = speak.events(behaviour)
  if (!behaviour.cut && !stalls) return void response.end(events.join(""))
  response.write(events.slice(0, Math.ceil(events.length / 2)).join(""))
  if (behaviour.cut) setTimeout(() => response.destroy(), 20)
}

function sendForEver(text: string, response: ServerResponse): void {
  if (response.destroyed) return
  if (response.write(text)) setImmediate(sendForEver, text, response)
  else response.once("drain", () => sendForEver(text, response))
}

/** Texts arrive in pieces that cut words and characters' escapes anywhere. */
const pieces = (text: string): string[] => text.match(/[\s\S]{1,5}/g) ?? [""]

const openai = {
  whole: ({ text = "{}", choices = [text as string], stop = "stop", refusal, usage }: Behaviour) =>
    JSON.stringify({
      id: "1",
      object: "chat.completion",
      choices: choices.map((content, index) => ({
        index,
        message: { role: "assistant", content, refusal: refusal ?? null },
        finish_reason: stop,
      })),
      ...(usage === false ? {} : { usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 } }),
    }),
  events({ text = "{}", choices = [text as string], stop = "stop", refusal, usage }: Behaviour): string[] {
    const chunk = (delta: object, finish: string | null = null, index = 0) => ({
      id: "1",
      object: "chat.completion.chunk",
      choices: [{ index, delta, finish_reason: finish }],
    })
    const used = { prompt_tokens: 100, completion_tokens: 10 }
    const deltas = [
      chunk({ role: "assistant", content: "" }),
      ...choices.flatMap((one, index) => pieces(one ?? "").map((content) => chunk({ content }, null, index))),
      ...(refusal === undefined ? [] : [chunk({ refusal })]),
      chunk({}, stop),
      ...(usage === false ? [] : [{ id: "1", object: "chat.completion.chunk", choices: [], usage: used }]),
    ]
    return [...deltas.map((data) => `data: ${JSON.stringify(data)}\n\n`), "data: [DONE]\n\n"]
  },
}

const anthropic = {
  whole({ text = "{}", words, inputs, stop = "tool_use", usage }: Behaviour): string {
    const given = inputs ?? (text === null ? [] : [text])
    // The inputs stand as they are, so that a key can be written twice.
    const tools = given.map((input, at) => `{"type":"tool_use","id":"t${at}","name":"output","input":${input}}`)
    const content = [...(words === undefined ? [] : [JSON.stringify({ type: "text", text: words })]), ...tools]
    const used = usage === false ? "" : ',"usage":{"input_tokens":100,"output_tokens":10}'
    return `{"id":"m","type":"message","role":"assistant","model":"m","content":[${content}],"stop_reason":${JSON.stringify(stop)}${used}}`
  },
  events({ text = "{}", words, inputs, stop = "tool_use", usage }: Behaviour): string[] {
    const given = inputs ?? (text === null ? [] : [text])
    const blocks = [
      ...(words === undefined
        ? []
        : [{ block: { type: "text", text: "" }, kind: "text_delta", member: "text", text: words }]),
      ...given.map((input, at) => ({
        block: { type: "tool_use", id: `t${at}`, name: "output", input: {} },
        kind: "input_json_delta",
        member: "partial_json",
        text: input,
      })),
    ]
    const events: { type: string; [key: string]: unknown }[] = [
      {
        type: "message_start",
        message: {
          id: "m",
          type: "message",
          role: "assistant",
          content: [],
          ...(usage === false ? {} : { usage: { input_tokens: 100, output_tokens: 1 } }),
        },
      },
    ]
    for (const [index, { block, kind, member, text: whole }] of blocks.entries()) {
      events.push({ type: "content_block_start", index, content_block: block })
      for (const piece of pieces(whole)) {
        events.push({ type: "content_block_delta", index, delta: { type: kind, [member]: piece } })
      }
      events.push({ type: "content_block_stop", index })
    }
    const used = usage === false ? {} : { usage: { output_tokens: 10 } }
    events.push({ type: "message_delta", delta: { stop_reason: stop }, ...used })
    events.push({ type: "message_stop" })
    return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  },
}
