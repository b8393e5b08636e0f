import { type IncomingMessage, request } from "node:http"
import { isObject, type JsonObject } from "../effects/json.ts"
import type { Call } from "./command.ts"
import { CommandError } from "./errors.ts"
import { socketOf } from "./socket.ts"

/** A request to the daemon. */
export interface Question {
  readonly method?: "GET" | "POST" | "PUT"
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** The variable that holds the token of whoever calls. */
export const TOKEN = "DETENT_TOKEN"

/** No daemon is there to be asked. */
export class NoDaemonError extends CommandError {}

/**
 * The daemon's response, its body unread.
 *
 * @throws CommandError where no daemon answers, or with what it says is wrong.
 */
export async function openDaemon(call: Call, question: Question): Promise<IncomingMessage> {
  const { io } = call
  const socketPath = await socketOf(call)
  const { method = "GET", path, body, headers, signal } = question
  const token = io.env[TOKEN]
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(
      {
        socketPath,
        method,
        path,
        headers: { host: "localhost", ...headers, ...(token ? { authorization: `Bearer ${token}` } : {}) },
        ...(signal ? { signal } : {}),
      },
      resolve,
    )
    sent.once("error", (cause: NodeJS.ErrnoException) => reject(unreachable(socketPath, cause)))
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
  if (response.statusCode! >= 400) throw problemOf(await textOf(response))
  return response
}

/** What the daemon answers, as JSON. */
export async function askDaemon(call: Call, question: Question): Promise<JsonObject> {
  return JSON.parse(await textOf(await openDaemon(call, question))) as JsonObject
}

/** A response's whole body. */
export async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString("utf8")
}

function unreachable(path: string, { code, message }: NodeJS.ErrnoException): CommandError {
  if (code === "ABORT_ERR") return new CommandError("the request was cancelled")
  return new NoDaemonError(`no daemon answers on \`${path}\` (${code ?? message})`, "`detent serve` starts one")
}

/** A problem of the daemon's, in its own words. */
function problemOf(text: string): CommandError {
  try {
    const problem: unknown = JSON.parse(text)
    if (isObject(problem) && typeof problem.detail === "string") {
      const hint = problem.title === "who asks is not known" ? `set \`${TOKEN}\`` : problem.hint
      return new CommandError(problem.detail, typeof hint === "string" ? hint : undefined)
    }
  } catch {
    // It is said below.
  }
  return new CommandError("the daemon answered something else than it should")
}
