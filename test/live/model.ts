import { createServer, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** What the model wants done, before it says that all is done. */
export interface Wish {
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
}

type Body = Readonly<Record<string, unknown>>
type Send = (event: string | undefined, data: unknown) => void

/** A model that four families of clients can speak to: it wants one tool called, and is content with whatever comes of it. */
export class ScriptedModel {
  readonly #server: Server
  readonly #wish: Wish
  /** the texts of all requests to it */
  readonly asked: string[] = []
  /** the hosts outside that a client wanted; none of them is reached */
  readonly outside: string[] = []

  private constructor(wish: Wish) {
    this.#wish = wish
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => this.#answer(request.url ?? "", Buffer.concat(chunks).toString("utf8"), response))
    })
    this.#server.on("connect", (request, socket) => {
      this.outside.push(request.url ?? "")
      socket.on("error", () => {})
      socket.end("HTTP/1.1 403 Forbidden\r\n\r\n")
    })
  }

  static async start(wish: Wish): Promise<ScriptedModel> {
    const model = new ScriptedModel(wish)
    await new Promise<void>((resolve) => model.#server.listen(0, "127.0.0.1", resolve))
    return model
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #answer(url: string, text: string, response: ServerResponse): void {
    const api = APIS.find(({ path }) => path.test(url.split("?")[0]!))
    if (api && text !== "") this.#say(api, url, text, response)
    else plain(response, { data: [], models: [], input_tokens: 1, totalTokens: 1 })
  }

  #say(api: Api, url: string, text: string, response: ServerResponse): void {
    this.asked.push(text)
    const body = JSON.parse(text) as Body
    // A request without tools is about something else: a title, a summary.
    const wish = Array.isArray(body.tools) && body.tools.length > 0 && !api.came.test(text) ? this.#wish : undefined
    if (body.stream !== true && !/:stream/.test(url)) {
      plain(response, api.whole(wish))
      return
    }
    response.writeHead(200, { "content-type": "text/event-stream" })
    api.stream((event, data) => {
      response.write(`${event === undefined ? "" : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`)
    }, wish)
    response.end(api.end)
  }
}

function plain(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { "content-type": "application/json" })
  response.end(JSON.stringify(value))
}

interface Api {
  readonly path: RegExp
  /** whether a tool's result is in a request */
  readonly came: RegExp
  whole(wish: Wish | undefined): unknown
  stream(send: Send, wish: Wish | undefined): void
  readonly end?: string
}

const DONE = "All done."

const messages: Api = {
  path: /\/messages$/,
  came: /"type":"tool_result"/,
  whole: (wish) => ({
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "scripted",
    content: [
      wish ? { type: "tool_use", id: "toolu_1", name: wish.tool, input: wish.input } : { type: "text", text: DONE },
    ],
    stop_reason: wish ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  }),
  stream(send, wish) {
    const whole = messages.whole(wish) as Body
    const [block] = whole.content as [Body]
    const empty = wish ? { ...block, input: {} } : { ...block, text: "" }
    const delta = wish
      ? { type: "input_json_delta", partial_json: JSON.stringify(wish.input) }
      : { type: "text_delta", text: DONE }
    send("message_start", { type: "message_start", message: { ...whole, content: [], stop_reason: null } })
    send("content_block_start", { type: "content_block_start", index: 0, content_block: empty })
    send("content_block_delta", { type: "content_block_delta", index: 0, delta })
    send("content_block_stop", { type: "content_block_stop", index: 0 })
    const ended = { stop_reason: whole.stop_reason, stop_sequence: null }
    send("message_delta", { type: "message_delta", delta: ended, usage: { output_tokens: 1 } })
    send("message_stop", { type: "message_stop" })
  },
}

const responses: Api = {
  path: /\/responses$/,
  came: /"function_call_output"/,
  whole: (wish) => ({
    id: "resp_1",
    object: "response",
    created_at: 0,
    status: "completed",
    model: "scripted",
    output: [
      wish
        ? {
            type: "function_call",
            id: "fc_1",
            call_id: "call_1",
            name: wish.tool,
            arguments: JSON.stringify(wish.input),
          }
        : {
            type: "message",
            id: "m_1",
            role: "assistant",
            content: [{ type: "output_text", text: DONE, annotations: [] }],
          },
    ],
    usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
  }),
  stream(send, wish) {
    const response = responses.whole(wish) as Body
    send("response.created", { type: "response.created", response: { ...response, status: "in_progress", output: [] } })
    const [item] = response.output as [Body]
    send("response.output_item.added", { type: "response.output_item.added", output_index: 0, item })
    send("response.output_item.done", { type: "response.output_item.done", output_index: 0, item })
    send("response.completed", { type: "response.completed", response })
  },
}

const call = (wish: Wish) => ({
  index: 0,
  id: "call_1",
  type: "function",
  function: { name: wish.tool, arguments: JSON.stringify(wish.input) },
})
const completion = { id: "c_1", created: 0, model: "scripted" }

const chat: Api = {
  path: /\/chat\/completions$/,
  came: /"role":"tool"/,
  whole: (wish) => ({
    ...completion,
    object: "chat.completion",
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: wish ? null : DONE, ...(wish ? { tool_calls: [call(wish)] } : {}) },
        finish_reason: wish ? "tool_calls" : "stop",
      },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  }),
  stream(send, wish) {
    const chunk = (delta: Body, finish_reason: string | null = null): void =>
      send(undefined, { ...completion, object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason }] })
    chunk({ role: "assistant", content: wish ? null : DONE })
    if (wish) chunk({ tool_calls: [call(wish)] })
    chunk({}, wish ? "tool_calls" : "stop")
  },
  end: "data: [DONE]\n\n",
}

const gemini: Api = {
  path: /:(stream)?generateContent$/i,
  came: /"functionResponse"/,
  whole: (wish) => ({
    candidates: [
      {
        index: 0,
        content: {
          role: "model",
          parts: [wish ? { functionCall: { name: wish.tool, args: wish.input, id: "fc_1" } } : { text: DONE }],
        },
        finishReason: "STOP",
      },
    ],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    modelVersion: "scripted",
    responseId: "r_1",
  }),
  stream(send, wish) {
    send(undefined, gemini.whole(wish))
  },
}

const APIS: readonly Api[] = [messages, responses, chat, gemini]
