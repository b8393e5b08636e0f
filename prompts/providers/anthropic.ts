import Anthropic from "@anthropic-ai/sdk"
import { isObject, type JsonObject } from "../../effects/json.ts"
import { isJson } from "../../effects/plain.ts"
import type { ModelRequest, Reply, Stop, Target } from "../request.ts"
import { readBody, tokens, tooLong } from "./body.ts"
import { FETCH_OPTIONS, fetchAnswer, withoutStrayHeaders } from "./client.ts"
import { readEvents } from "./events.ts"
import { type Limits, MAX_ANSWER_BYTES, type Provider } from "./provider.ts"
import { responseOf, Trouble } from "./trouble.ts"

/** The one tool that the model has to use: its input is the answer. */
const TOOL = "output"

/** Anthropic's messages. The answer is the input of a tool that the model is made to use: any JSON Schema will do there. */
export function createProvider(): Provider {
  const clients = new Map<string, Anthropic>()
  return {
    async ask(request, target, limits) {
      const client = clientOf(clients, target)
      return target.stream ? streamed(client, request, target, limits) : whole(client, request, target, limits)
    },
  }
}

function clientOf(clients: Map<string, Anthropic>, { baseUrl, key }: Target): Anthropic {
  const name = JSON.stringify([baseUrl, key])
  const known = clients.get(name)
  if (known) return known
  // Whatever the SDK would read from the environment is said here: the hook's settings are the only source.
  const client = withoutStrayHeaders(
    new Anthropic({
      apiKey: key,
      authToken: null,
      webhookKey: null,
      baseURL: baseUrl,
      maxRetries: 0,
      logLevel: "off",
      openTelemetry: { traces: false, propagation: false },
      fetch: fetchAnswer,
      fetchOptions: FETCH_OPTIONS,
    }),
  )
  clients.set(name, client)
  return client
}

/** Sent as it is: the SDK's own method would print a sentence on stderr for each model that it knows to be an old one. */
function send(client: Anthropic, request: ModelRequest, target: Target, { signal, timeoutMs }: Limits) {
  const body = bodyOf(request, target)
  return responseOf(client.post("/v1/messages", { body, signal, timeout: timeoutMs, stream: target.stream }))
}

function bodyOf({ system, messages, schema }: ModelRequest, { model, maxTokens, temperature, stream }: Target) {
  return {
    model,
    max_tokens: maxTokens,
    system,
    messages: [...messages],
    ...(schema && {
      tools: [{ name: TOOL, description: "Your answer.", input_schema: { type: "object" as const, ...schema } }],
      tool_choice: { type: "tool" as const, name: TOOL, disable_parallel_tool_use: true },
    }),
    // Newer models take none and say so; for those that do it has its effect.
    ...(temperature === undefined ? {} : { temperature }),
    ...(stream ? { stream: true as const } : {}),
  } satisfies Anthropic.MessageCreateParams
}

/** One part of an answer, as far as it has come. */
interface Block {
  readonly type: unknown
  text: string
}

async function whole(client: Anthropic, request: ModelRequest, target: Target, limits: Limits): Promise<Reply> {
  const { value, doubtful } = await readBody(await send(client, request, target, limits))
  const { content, stop_reason, usage } = value
  if (!Array.isArray(content)) throw new Trouble("what the provider sent is no answer")
  const blocks = content.filter(isObject).map(({ type, input, text }): Block => {
    return { type, text: type === "tool_use" ? inputText(input) : typeof text === "string" ? text : "" }
  })
  const used = isObject(usage) ? usage : {}
  return {
    text: doubtful ?? textOf(blocks),
    stop: STOPS.get(stop_reason) ?? "unknown",
    inputTokens: tokens(used.input_tokens),
    outputTokens: tokens(used.output_tokens),
  }
}

/** What JSON does not hold again, such as a number too large, is no answer: it must not come back as `null`. */
const inputText = (input: unknown): string => (isJson(input) ? JSON.stringify(input) : "(no JSON)")

async function streamed(client: Anthropic, request: ModelRequest, target: Target, limits: Limits): Promise<Reply> {
  const blocks = new Map<unknown, Block>()
  let length = 0
  let stop: unknown
  let used: JsonObject = {}
  for await (const event of readEvents(await send(client, request, target, limits))) {
    const { index } = event
    const [message, part, delta] = [event.message, event.content_block, event.delta].map((one) =>
      isObject(one) ? one : {},
    ) as [JsonObject, JsonObject, JsonObject]
    if (event.type === "message_start" && isObject(message.usage)) used = message.usage
    else if (event.type === "content_block_start") blocks.set(index, { type: part.type, text: startOf(part) })
    else if (event.type === "content_block_delta") length += append(blocks.get(index), delta)
    else if (event.type === "message_delta") {
      stop = delta.stop_reason ?? stop
      if (isObject(event.usage)) used = { ...used, ...event.usage }
    }
    if (length > MAX_ANSWER_BYTES) throw tooLong()
  }
  if (stop === undefined) throw new Trouble("the provider's stream ended before the answer did", { passing: true })
  // A tool's input without a member is sent as no text at all.
  for (const block of blocks.values()) if (block.type === "tool_use" && block.text === "") block.text = "{}"
  return {
    text: textOf([...blocks.values()]),
    stop: STOPS.get(stop) ?? "unknown",
    inputTokens: tokens(used.input_tokens),
    outputTokens: tokens(used.output_tokens),
  }
}

/** What a block holds when it starts: an input that is there at once is not sent again in pieces. */
function startOf({ type, text, input }: JsonObject): string {
  if (type !== "tool_use") return typeof text === "string" ? text : ""
  return isObject(input) && Object.keys(input).length === 0 ? "" : inputText(input)
}

function append(block: Block | undefined, { partial_json, text }: JsonObject): number {
  const more = block?.type === "tool_use" ? partial_json : text
  if (!block || typeof more !== "string") return 0
  block.text += more
  return more.length
}

/** The tool's input; what was said in words where the tool was not used. Two inputs are two answers, and so none. */
function textOf(blocks: readonly Block[]): string {
  const of = (kind: string) => blocks.flatMap(({ type, text }) => (type === kind ? [text] : []))
  const inputs = of("tool_use")
  return inputs.length > 0 ? inputs.join("\n") : of("text").join("")
}

const STOPS: ReadonlyMap<unknown, Stop> = new Map([
  ["end_turn", "end"],
  ["tool_use", "end"],
  ["stop_sequence", "end"],
  ["max_tokens", "length"],
  ["model_context_window_exceeded", "length"],
  ["refusal", "refused"],
])
