import { isObject, type JsonObject, parseJson } from "../../effects/json.ts"
import { MAX_ANSWER_BYTES } from "./provider.ts"
import { Trouble } from "./trouble.ts"

/** A response's JSON. */
export interface Body {
  readonly value: JsonObject
  /** the text itself, where a key in it is written twice: what it says is then open, and whoever reads the text will see that */
  readonly doubtful?: string
}

/**
 * Reads a response as JSON. The text is parsed here and not by the SDK, so that a key written twice is seen: the second of two
 * verdicts is no verdict.
 *
 * @throws Trouble on what is no JSON object, or too long, and where the connection is lost.
 */
export async function readBody(response: Response): Promise<Body> {
  const text = await readText(response)
  try {
    const value = parseJson(text)
    if (isObject(value)) return { value }
  } catch {
    return { value: parsed(text, JSON.parse), doubtful: text }
  }
  throw new Trouble("what the provider sent is no answer")
}

/** A loop of its own: to read an answer that is whole piece by piece costs more than the rest of a hook. */
async function readText({ body }: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ""
  let bytes = 0
  try {
    for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
      bytes += chunk.byteLength
      if (bytes > MAX_ANSWER_BYTES) break
      text += decoder.decode(chunk, { stream: true })
    }
  } catch {
    throw lost()
  }
  if (bytes > MAX_ANSWER_BYTES) throw tooLong()
  return text + decoder.decode()
}

const lost = (): Trouble => new Trouble("the connection to the provider was lost", { passing: true })

/** A JSON object, by whichever parser. */
export function parsed(text: string, parse: (text: string) => unknown): JsonObject {
  let value: unknown
  try {
    value = parse(text)
  } catch {
    throw new Trouble("what the provider sent is no JSON")
  }
  if (!isObject(value)) throw new Trouble("what the provider sent is no answer")
  return value
}

/** The text of a response as it comes. */
export async function* readPieces({ body }: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  try {
    for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
      yield decoder.decode(chunk, { stream: true })
    }
  } catch {
    throw lost()
  }
  yield decoder.decode()
}

export const tooLong = (): Trouble => new Trouble(`the provider sent more than ${MAX_ANSWER_BYTES} bytes`)

/** A number of tokens as a provider counts them; what is none counts as nothing. */
export const tokens = (value: unknown): number => (Number.isSafeInteger(value) ? Math.max(0, value as number) : 0)
