import { type IncomingHttpHeaders, type IncomingMessage, type RequestOptions, request } from "node:http"

/** A JSON object whose members a test reads without asking what they are. */
// biome-ignore lint/suspicious/noExplicitAny: what a test expects of it is what it checks
export type Loose = Record<string, any>

/** What a daemon answered. */
export interface Answered {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** the body as JSON */
  readonly body: Loose
}

export interface Send {
  readonly method?: string
  readonly path: string
  readonly body?: unknown
  /** a body that is sent as it is */
  readonly raw?: string | Buffer
  readonly headers?: RequestOptions["headers"]
  readonly token?: string
}

/** A way to a daemon: its socket, or its port. */
export type Way = { readonly socketPath: string } | { readonly port: number }

/** A response whose body is read by whoever asked for it. */
export function open(way: Way, { method, path, body, raw, headers = {}, token }: Send): Promise<IncomingMessage> {
  const text = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        ...way,
        host: "127.0.0.1",
        method: method ?? (text === undefined ? "GET" : "POST"),
        path,
        agent: false,
        headers: { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers } as never,
      },
      resolve,
    )
    sent.once("error", reject)
    sent.end(text)
  })
}

/** Sends a request over a connection of its own and reads the whole answer. */
export async function send(way: Way, what: Send): Promise<Answered> {
  const response = await open(way, what)
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString("utf8")
  const isJson = /[/+]json/.test(response.headers["content-type"] ?? "")
  return { status: response.statusCode!, headers: response.headers, text, body: isJson ? JSON.parse(text) : {} }
}
