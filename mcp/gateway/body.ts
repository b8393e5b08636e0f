import type { JsonObject } from "../../effects/json.ts"
import { readEnvelope } from "./envelope.ts"

/** The longest message of a client's, in bytes. */
export const MAX_BODY_BYTES = 64 * 1024 * 1024

interface BadBody {
  readonly status: number
  readonly code: number
  readonly message: string
}

/** The one message in a request's body, or why there is none. */
export async function bodyOf(request: Request): Promise<{ readonly message: JsonObject } | BadBody> {
  const length = Number(request.headers.get("content-length") ?? 0)
  if (length > MAX_BODY_BYTES) return tooLong()
  const text = await readText(request)
  if (text === undefined) return tooLong()
  const read = readEnvelope(text)
  return "code" in read ? { status: 400, ...read } : read
}

const tooLong = (): BadBody => ({
  status: 413,
  code: -32600,
  message: `a message of more than ${MAX_BODY_BYTES} bytes is not taken`,
})

/** The whole body as text; undefined where it is too long. */
async function readText(request: Request): Promise<string | undefined> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += part.length
    if (bytes > MAX_BODY_BYTES) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts).toString("utf8")
}
