import type { JSONRPCMessage, MessageExtraInfo, Transport, TransportSendOptions } from "@modelcontextprotocol/client"
import { isObject, type JsonObject } from "../effects/json.ts"
import { OperationError } from "../engine/errors.ts"
import type { AbortSignalLike } from "../policy/policy.ts"
import { InFlight } from "./in-flight.ts"

/** A server's answer to one request of ours. */
export interface Reply {
  readonly result: JsonObject
  /** the line that it came in, where the transport keeps it, and the id that it bears */
  readonly line?: { readonly text: string; readonly id: string }
}

/** What goes with one request. */
export interface Sending {
  /** milliseconds; news of its progress starts them anew */
  readonly timeoutMs: number
  readonly signal?: AbortSignalLike | undefined
  /** gets the news as they came, under a token of ours */
  readonly onProgress?: ((progress: JsonObject) => void) | undefined
  /** what goes beside it, where the transport has headers */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

interface Waiting {
  readonly settle: (reply: Reply | Error) => void
  readonly progress: (params: JsonObject) => void
}

/** Ends of a wait that no server has sent. */
export class NoReply extends Error {
  override readonly name = "NoReply"
  readonly why: "timeout" | "cancelled" | "closed"

  constructor(why: NoReply["why"]) {
    super(why)
    this.why = why
  }
}

/**
 * A transport that carries requests of its own beside those of the SDK's client: the client does handshake, lists and what
 * servers ask; a call goes through here, parsed once, checked against no schema and changed in nothing but its id.
 */
export class Tap implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void
  readonly #inner: Transport
  readonly #waiting = new InFlight<string, Waiting>()
  #last = 0

  constructor(inner: Transport) {
    this.#inner = inner
    // By these the SDK knows a child, which need not answer to what it does not know.
    if ("pid" in inner) Object.assign(this, { pid: undefined, stderr: undefined })
    inner.onmessage = (message: JSONRPCMessage, extra?: MessageExtraInfo) => this.#take(message, extra)
    inner.onerror = (error) => this.onerror?.(error)
    inner.onclose = () => {
      for (const { settle } of this.#waiting.all()) settle(new NoReply("closed"))
      this.onclose?.()
    }
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId
  }

  get hasPerRequestStream(): boolean {
    return this.#inner.hasPerRequestStream === true
  }

  setProtocolVersion = (version: string): void => this.#inner.setProtocolVersion?.(version)
  setSupportedProtocolVersions = (versions: string[]): void => this.#inner.setSupportedProtocolVersions?.(versions)
  start = (): Promise<void> => this.#inner.start()
  close = (): Promise<void> => this.#inner.close()
  send = (message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> => this.#inner.send(message, options)

  /**
   * Sends one request, once.
   *
   * @param meta the whole `_meta` but for the progress token, which is this transport's own
   * @throws OperationError `protocol` with the server's error in `data`, NoReply, or what the transport threw.
   */
  request(method: string, params: JsonObject, meta: JsonObject | undefined, sending: Sending): Promise<Reply> {
    const id = `d${++this.#last}`
    const { timeoutMs, signal, onProgress, headers } = sending
    const perRequest = this.hasPerRequestStream ? new AbortController() : undefined
    return new Promise<Reply>((resolve, reject) => {
      const timer = setTimeout(() => giveUp("timeout"), timeoutMs)
      const settle = (reply: Reply | Error): void => {
        clearTimeout(timer)
        signal?.removeEventListener("abort", cancelled)
        this.#waiting.delete(id)
        if (reply instanceof Error) reject(reply)
        else resolve(reply)
      }
      const giveUp = (why: "timeout" | "cancelled"): void => {
        settle(new NoReply(why))
        if (perRequest) perRequest.abort()
        else this.#cancel(id, why, meta)
      }
      const cancelled = (): void => giveUp("cancelled")
      if (signal?.aborted) return settle(new NoReply("cancelled"))
      signal?.addEventListener("abort", cancelled, { once: true })
      const progress = (news: JsonObject): void => {
        timer.refresh()
        onProgress?.(news)
      }
      this.#waiting.add(id, { settle, progress })
      const whole = onProgress ? { ...meta, progressToken: id } : meta
      const message = { jsonrpc: "2.0", id, method, params: whole ? { ...params, _meta: whole } : params }
      const options = perRequest
        ? {
            requestSignal: perRequest.signal,
            onRequestStreamEnd: () => settle(new NoReply("closed")),
            ...(headers && { headers }),
          }
        : undefined
      this.#inner.send(message as JSONRPCMessage, options).catch((cause) => settle(errorWithin(cause, id) ?? cause))
    })
  }

  #cancel(requestId: string, reason: string, meta: JsonObject | undefined): void {
    const params = { requestId, reason, ...(meta ? { _meta: meta } : {}) }
    const message = { jsonrpc: "2.0", method: "notifications/cancelled", params }
    // A server that is gone needs no cancellation.
    this.#inner.send(message as JSONRPCMessage).catch(() => {})
  }

  #take(message: JSONRPCMessage, extra?: MessageExtraInfo): void {
    const { id, method } = message as JsonObject
    if (method === undefined && typeof id === "string") {
      const waiting = this.#waiting.get(id)
      if (waiting) waiting.settle(replyOf(message as JsonObject, id, (extra as Kept | undefined)?.line))
      // What nobody waits for any more was cancelled, or its time was up.
      if (waiting || /^d\d+$/.test(id)) return
    }
    if (method !== "notifications/progress" || !this.#takeProgress(message as JsonObject))
      this.onmessage?.(message, extra)
  }

  #takeProgress({ params }: JsonObject): boolean {
    if (!isObject(params) || typeof params.progressToken !== "string") return false
    const waiting = this.#waiting.get(params.progressToken)
    if (!waiting) return false
    waiting.progress(params)
    return true
  }
}

/** What our own transport says beside a message. */
export interface Kept {
  readonly line?: string
}

function replyOf({ result, error }: JsonObject, id: string, text: string | undefined): Reply | Error {
  if (isObject(error)) {
    const { code, message, data } = error
    const said = typeof message === "string" && message !== "" ? message : "the server gave no message"
    return new OperationError({
      code: "protocol",
      message: said,
      data: { code: Number.isSafeInteger(code) ? code : -32603, ...(data === undefined ? {} : { data }) },
    })
  }
  if (!isObject(result))
    return new OperationError({ code: "protocol", message: "the answer has no result", data: { code: -32603 } })
  return { result, ...(text === undefined ? {} : { line: { text, id } }) }
}

/** An error of JSON-RPC in the body of an HTTP response that says that it is none. */
function errorWithin(cause: unknown, id: string): Reply | Error | undefined {
  const { text } = ((cause as { data?: unknown }).data ?? {}) as { text?: unknown }
  try {
    const body: unknown = JSON.parse(String(text))
    return isObject(body) && body.id === id ? replyOf(body, id, undefined) : undefined
  } catch {
    return undefined
  }
}
