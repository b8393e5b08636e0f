import OpenAI from "openai"
import { isObject, type JsonObject } from "../../effects/json.ts"
import { PROVIDERS } from "../../policy/providers.ts"
import type { ModelRequest, Reply, Target } from "../request.ts"
import { readBody, tokens } from "./body.ts"
import { type Limits, MAX_ANSWER_BYTES, type Provider } from "./provider.ts"
import { Trouble } from "./trouble.ts"

/** Chat completions, at OpenAI and at every server that speaks them. */
export function createProvider(): Provider {
  const clients = new Map<string, OpenAI>()
  return {
    async ask(request, target, limits) {
      const client = clientOf(clients, target)
      return target.stream ? streamed(client, request, target, limits) : whole(client, request, target, limits)
    },
  }
}

function clientOf(clients: Map<string, OpenAI>, { baseUrl, key }: Target): OpenAI {
  const name = JSON.stringify([baseUrl, key])
  const known = clients.get(name)
  if (known) return known
  // Whatever the SDK would read from the environment is said here: the hook's settings are the only source.
  const client = new OpenAI({
    apiKey: key,
    baseURL: baseUrl,
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    logLevel: "off",
  })
  clients.set(name, client)
  return client
}

function bodyOf({ system, messages, schema }: ModelRequest, target: Target) {
  const { model, maxTokens, temperature, seed, baseUrl } = target
  // Servers of other makers know the older of the two names.
  const limit = baseUrl === PROVIDERS.openai.baseUrl ? { max_completion_tokens: maxTokens } : { max_tokens: maxTokens }
  return {
    model,
    messages: [{ role: "system" as const, content: system }, ...messages],
    // Not strict: strict schemas have no optional keys, and every key of an output is optional.
    response_format: {
      type: "json_schema" as const,
      json_schema: { name: "output", schema: schema as JsonObject, strict: false },
    },
    ...limit,
    ...(temperature === undefined ? {} : { temperature }),
    ...(seed === undefined ? {} : { seed }),
  }
}

async function whole(client: OpenAI, request: ModelRequest, target: Target, limits: Limits): Promise<Reply> {
  const { signal, timeoutMs: timeout } = limits
  const sent = client.chat.completions.create(bodyOf(request, target), { signal, timeout })
  const { choices, usage } = await readBody(await sent.asResponse())
  const [choice] = Array.isArray(choices) ? choices : []
  if (!isObject(choice) || !isObject(choice.message)) throw new Trouble("what the provider sent is no answer")
  const { content, refusal } = choice.message
  const used = isObject(usage) ? usage : {}
  return {
    text: typeof content === "string" ? content : "",
    stop: stopOf(choice.finish_reason, refusal),
    inputTokens: tokens(used.prompt_tokens),
    outputTokens: tokens(used.completion_tokens),
  }
}

async function streamed(client: OpenAI, request: ModelRequest, target: Target, limits: Limits): Promise<Reply> {
  const { signal, timeoutMs: timeout } = limits
  const body = { ...bodyOf(request, target), stream: true as const, stream_options: { include_usage: true } }
  let text = ""
  let finish: unknown
  let refusal = ""
  let used: { prompt_tokens?: number; completion_tokens?: number } = {}
  for await (const { choices, usage } of await client.chat.completions.create(body, { signal, timeout })) {
    const choice = choices?.[0]
    text += choice?.delta?.content ?? ""
    refusal += choice?.delta?.refusal ?? ""
    finish = choice?.finish_reason ?? finish
    if (usage) used = usage
    if (text.length > MAX_ANSWER_BYTES) throw new Trouble(`the provider sent more than ${MAX_ANSWER_BYTES} bytes`)
  }
  if (finish === undefined) throw new Trouble("the provider's stream ended before the answer did", { passing: true })
  return {
    text,
    stop: stopOf(finish, refusal),
    inputTokens: tokens(used.prompt_tokens),
    outputTokens: tokens(used.completion_tokens),
  }
}

function stopOf(finish: unknown, refusal: unknown): Reply["stop"] {
  if (finish === "length") return "length"
  return finish === "content_filter" || (typeof refusal === "string" && refusal !== "") ? "refused" : "end"
}
