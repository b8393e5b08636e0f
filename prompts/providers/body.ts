import { isObject, type JsonObject, parseJson } from "../../effects/json.ts"
import { MAX_ANSWER_BYTES } from "./provider.ts"
import { Trouble } from "./trouble.ts"

/**
 * Reads a response as JSON. The text is parsed here and not by the SDK, so that a key written twice is seen: the second of two
 * verdicts is no verdict.
 *
 * @throws Trouble on what is no JSON object, or too long.
 */
export async function readBody(response: Response): Promise<JsonObject> {
  const text = await readText(response)
  let value: unknown
  try {
    value = parseJson(text)
  } catch {
    throw new Trouble("what the provider sent is no JSON")
  }
  if (!isObject(value)) throw new Trouble("what the provider sent is no answer")
  return value
}

async function readText({ body }: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ""
  let bytes = 0
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength
    if (bytes > MAX_ANSWER_BYTES) throw new Trouble(`the provider sent more than ${MAX_ANSWER_BYTES} bytes`)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/** A number of tokens as a provider counts them; what is none counts as nothing. */
export const tokens = (value: unknown): number => (typeof value === "number" && value >= 0 ? value : 0)
