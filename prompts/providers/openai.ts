import OpenAI from "openai"
import { isObject, type JsonObject } from "../../effects/json.ts"
import { PROVIDERS } from "../../policy/providers.ts"
import type { ModelRequest, Reply, Stop, Target } from "../request.ts"
import { readBody, tokens, tooLong } from "./body.ts"
import { FETCH_OPTIONS, fetchAnswer, withoutStrayHeaders } from "./client.ts"
import { readEvents } from "./events.ts"
import { type Limits, MAX_ANSWER_BYTES, type Provider } from "./provider.ts"
import { responseOf, Trouble } from "./trouble.ts"

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
  const client = withoutStrayHeaders(
    new OpenAI({
      apiKey: key,
      baseURL: baseUrl,
      adminAPIKey: null,
      organization: null,
      project: null,
      webhookSecret: null,
      maxRetries: 0,
      logLevel: "off",
      fetch: fetchAnswer,
      fetchOptions: FETCH_OPTIONS,
    }),
  )
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
    ...(schema && {
      response_format: { type: "json_schema" as const, json_schema: { name: "output", schema, strict: false } },
    }),
    ...limit,
    ...(temperature === undefined ? {} : { temperature }),
    ...(seed === undefined ? {} : { seed }),
  }
}

async function whole(client: OpenAI, request: ModelRequest, target: Target, limits: Limits): Promise<Reply> {
  const { signal, timeoutMs: timeout } = limits
  const sent = client.chat.completions.create(bodyOf(request, target), { signal, timeout })
  const { value, doubtful } = await readBody(await responseOf(sent))
  const choices = choicesOf(value)
  if (choices.length === 0) throw new Trouble("what the provider sent is no answer")
  const said = (name: string) => choices.map(({ message }) => textOf(isObject(message) ? message[name] : ""))
  return {
    // Several choices are several answers, and so none.
    text: doubtful ?? said("content").join("\n"),
    stop: stopOf(choices[0]!.finish_reason, said("refusal").join("")),
    ...usageOf(value),
  }
}

async function streamed(client: OpenAI, request: ModelRequest, target: Target, limits: Limits): Promise<Reply> {
  const { signal, timeoutMs: timeout } = limits
  const body = { ...bodyOf(request, target), stream: true as const, stream_options: { include_usage: true } }
  const sent = client.chat.completions.create(body, { signal, timeout })
  const texts: string[] = []
  let length = 0
  let finish: unknown
  let refusal = ""
  let used = usageOf({})
  for await (const event of readEvents(await responseOf(sent))) {
    for (const { index, delta, finish_reason } of choicesOf(event)) {
      const { content, refusal: refused } = isObject(delta) ? delta : {}
      const at = index === 0 || index === undefined ? 0 : 1
      texts[at] = (texts[at] ?? "") + textOf(content)
      refusal += textOf(refused)
      finish = finish_reason ?? finish
      length += textOf(content).length
      if (length > MAX_ANSWER_BYTES) throw tooLong()
    }
    if (isObject(event.usage)) used = usageOf(event)
  }
  if (finish === undefined) throw new Trouble("the provider's stream ended before the answer did", { passing: true })
  return { text: texts.join("\n"), stop: stopOf(finish, refusal), ...used }
}

const choicesOf = ({ choices }: JsonObject): JsonObject[] => (Array.isArray(choices) ? choices.filter(isObject) : [])

const textOf = (value: unknown): string => (typeof value === "string" ? value : "")

function usageOf({ usage }: JsonObject): Pick<Reply, "inputTokens" | "outputTokens"> {
  const used = isObject(usage) ? usage : {}
  return { inputTokens: tokens(used.prompt_tokens), outputTokens: tokens(used.completion_tokens) }
}

/** What each reason means: OpenAI's own, and the names that other servers have for an answer's own end. */
const STOPS: ReadonlyMap<unknown, Stop> = new Map([
  ["stop", "end"],
  ["tool_calls", "end"],
  ["function_call", "end"],
  ["eos", "end"],
  ["eos_token", "end"],
  ["stop_sequence", "end"],
  ["length", "length"],
  ["model_length", "length"],
  ["max_tokens", "length"],
  ["content_filter", "refused"],
])

function stopOf(finish: unknown, refusal: string): Stop {
  const stop = STOPS.get(finish) ?? "unknown"
  return refusal !== "" && stop !== "length" ? "refused" : stop
}
