import Anthropic from "@anthropic-ai/sdk"
import { isObject } from "../../effects/json.ts"
import type { ModelRequest, Reply, Target } from "../request.ts"
import { readBody, tokens } from "./body.ts"
import { type Limits, MAX_ANSWER_BYTES, type Provider } from "./provider.ts"
import { Trouble } from "./trouble.ts"

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
  const client = new Anthropic({
    apiKey: key,
    authToken: null,
    webhookKey: null,
    baseURL: baseUrl,
    maxRetries: 0,
    logLevel: "off",
  })
  clients.set(name, client)
  return client
}

function bodyOf({ system, messages, schema }: ModelRequest, { model, maxTokens, temperature }: Target) {
  return {
    model,
    max_tokens: maxTokens,
    system,
    messages: [...messages],
    tools: [{ name: TOOL, description: "Your answer.", input_schema: { type: "object" as const, ...schema } }],
    tool_choice: { type: "tool" as const, name: TOOL, disable_parallel_tool_use: true },
    // Newer models take none and say so; for those that do it has its effect.
    ...(temperature === undefined ? {} : { temperature }),
  }
}

async function whole(client: Anthropic, request: ModelRequest, target: Target, limits: Limits): Promise<Reply> {
  const { signal, timeoutMs: timeout } = limits
  const sent = client.messages.create(bodyOf(request, target), { signal, timeout })
  const { content, stop_reason, usage } = await readBody(await sent.asResponse())
  if (!Array.isArray(content)) throw new Trouble("what the provider sent is no answer")
  const used = isObject(usage) ? usage : {}
  const blocks = content.filter(isObject)
  const tools = blocks.flatMap(({ type, input }) => (type === "tool_use" ? [JSON.stringify(input ?? {})] : []))
  const texts = blocks.flatMap(({ type, text }) => (type === "text" && typeof text === "string" ? [text] : []))
  return {
    text: textOf(tools, texts),
    stop: stopOf(stop_reason),
    inputTokens: tokens(used.input_tokens),
    outputTokens: tokens(used.output_tokens),
  }
}

async function streamed(client: Anthropic, request: ModelRequest, target: Target, limits: Limits): Promise<Reply> {
  const { signal, timeoutMs: timeout } = limits
  const body = { ...bodyOf(request, target), stream: true as const }
  const tools: string[] = []
  const texts: string[] = []
  let stop: unknown
  let length = 0
  let [inputTokens, outputTokens] = [0, 0]
  for await (const event of await client.messages.create(body, { signal, timeout })) {
    if (event.type === "message_start") inputTokens = tokens(event.message.usage?.input_tokens)
    else if (event.type === "content_block_start") {
      if (event.content_block.type === "tool_use") tools.push("")
      else if (event.content_block.type === "text") texts.push(event.content_block.text)
    } else if (event.type === "content_block_delta") {
      const { delta } = event
      if (delta.type === "input_json_delta") length += append(tools, delta.partial_json)
      else if (delta.type === "text_delta") length += append(texts, delta.text)
    } else if (event.type === "message_delta") {
      stop = event.delta.stop_reason ?? stop
      outputTokens = tokens(event.usage?.output_tokens)
    }
    if (length > MAX_ANSWER_BYTES) throw new Trouble(`the provider sent more than ${MAX_ANSWER_BYTES} bytes`)
  }
  if (stop === undefined) throw new Trouble("the provider's stream ended before the answer did", { passing: true })
  // A tool's input without a member is sent as no text at all.
  const inputs = tools.map((text) => (text === "" ? "{}" : text))
  return { text: textOf(inputs, texts), stop: stopOf(stop), inputTokens, outputTokens }
}

function append(parts: string[], text: string): number {
  parts[parts.length - 1] = (parts.at(-1) ?? "") + text
  return text.length
}

/** The tool's input; what was said in words where the tool was not used. Two inputs are two answers, and so none. */
const textOf = (tools: readonly string[], texts: readonly string[]): string =>
  tools.length > 0 ? tools.join("\n") : texts.join("")

function stopOf(reason: unknown): Reply["stop"] {
  if (reason === "max_tokens" || reason === "model_context_window_exceeded") return "length"
  return reason === "refusal" ? "refused" : "end"
}
