import { isUtf8 } from "node:buffer"
import type { IncomingMessage } from "node:http"
import { z } from "zod"
import { isObject, type JsonObject, parseJson } from "../effects/json.ts"
import { nearest } from "../policy/nearest.ts"
import { Problem } from "./problem.ts"

/** What a route takes: how it is read, and how it is described. */
export interface BodyOf<T> {
  readonly schema: () => JsonObject
  /** @throws Problem `bad-request` */
  read(value: unknown): T
}

/** A body with the shape of a schema; unknown members are refused by name. */
export const shaped = <T extends z.ZodObject>(schema: T): BodyOf<z.infer<T>> => ({
  schema: () => z.toJSONSchema(schema) as JsonObject,
  read(value) {
    const checked = schema.safeParse(value)
    if (checked.success) return checked.data
    const said = checked.error.issues.map((issue) => sentence(issue, Object.keys(schema.shape)))
    throw new Problem("bad-request", said.join("; "))
  },
})

function sentence(issue: z.core.$ZodIssue, known: readonly string[]): string {
  if (issue.code === "unrecognized_keys") {
    return issue.keys
      .map((key) => {
        const near = nearest(key, known)
        return `unknown field \`${key}\`${near === undefined ? `; known are ${known.join(", ")}` : `; did you mean \`${near}\`?`}`
      })
      .join("; ")
  }
  const where = issue.path.length === 0 ? "the body" : `\`${issue.path.join(".")}\``
  return `${where} ${issue.message.charAt(0).toLowerCase()}${issue.message.slice(1)}`
}

/**
 * The body of a request as one JSON object.
 *
 * @throws Problem where it is too large, of which nothing is read beyond the limit, or is no JSON object.
 */
export async function readBody(incoming: IncomingMessage, limit: number): Promise<JsonObject> {
  const bytes = await collect(incoming, limit)
  if (!isUtf8(bytes)) throw new Problem("bad-request", "the body is no UTF-8 text")
  try {
    const value = parseJson(bytes.toString("utf8"))
    if (isObject(value)) return value
  } catch (cause) {
    throw new Problem("bad-request", `the body is no JSON: ${(cause as Error).message}`)
  }
  throw new Problem("bad-request", "the body is no JSON object")
}

function collect(incoming: IncomingMessage, limit: number): Promise<Buffer> {
  const tooLarge = () => new Problem("too-large", `the body is larger than ${limit} bytes`, { limit })
  if (Number(incoming.headers["content-length"]) > limit) return Promise.reject(tooLarge())
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    incoming.on("data", (chunk: Buffer) => {
      length += chunk.length
      if (length <= limit) chunks.push(chunk)
      else {
        incoming.pause()
        reject(tooLarge())
      }
    })
    incoming.once("end", () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)))
    incoming.once("error", () => reject(new Problem("bad-request", "the body ended too early")))
    incoming.once("aborted", () => reject(new Problem("bad-request", "the body ended too early")))
  })
}
