import type { Readable, Writable } from "node:stream"
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server"
import type { JsonObject } from "../../effects/json.ts"
import { InFlight } from "../in-flight.ts"
import { Outlet } from "../outlet.ts"
import { readEnvelope } from "./envelope.ts"

/** The longest line of a client's, in bytes. */
const MAX_LINE_BYTES = 64 * 1024 * 1024

/** Milliseconds that requests under way have to end once the client has closed its side. */
const LEAVE_MS = 2000

const NEWLINE = 10

export interface WireOptions {
  readonly stdin: Readable
  readonly stdout: Writable
  /** takes a message for itself; false: it goes to the SDK */
  readonly first: (message: JsonObject) => boolean
  /** a line that was refused: nothing of it goes any further */
  readonly onRefused: (why: string) => void
}

/** A client over stdin and stdout: one message a line, each looked at before anything else sees it. */
export class Wire implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly #options: WireOptions
  readonly #outlet: Outlet
  readonly #under = new InFlight<string | number, true>()
  #parts: Buffer[] = []
  #bytes = 0
  #ended = false
  #closed = false
  #leaving: NodeJS.Timeout | undefined
  #drained: Promise<void> | undefined

  constructor(options: WireOptions) {
    this.#options = options
    this.#outlet = new Outlet(options.stdout)
  }

  async start(): Promise<void> {
    const { stdin, stdout } = this.#options
    stdin.on("data", (chunk: Buffer) => this.#read(chunk))
    stdin.once("end", () => this.#end())
    stdin.once("close", () => this.#end())
    stdin.on("error", () => this.#end())
    // Nobody reads any more: there is nobody left to serve.
    stdout.on("error", () => void this.close())
  }

  send(message: JSONRPCMessage): Promise<void> {
    const { id, method } = message as JsonObject
    return this.write(JSON.stringify(message), method === undefined ? (id as string | number) : undefined)
  }

  /** Writes one message that is text already; `answers` is the request that it answers. */
  write(text: string, answers: string | number | undefined): Promise<void> {
    if (this.#closed) return Promise.reject(new Error("the client is gone"))
    const { stdout } = this.#options
    const flowing = this.#outlet.write(`${text}\n`)
    if (answers !== undefined) {
      this.#under.delete(answers)
      this.#leave()
    }
    return flowing ? DONE : this.#rest(stdout)
  }

  /** Whoever waits for a client that reads slowly waits for the same moment. */
  #rest(stdout: Writable): Promise<void> {
    this.#drained ??= new Promise((resolve) => {
      stdout.once("drain", () => {
        this.#drained = undefined
        resolve()
      })
    })
    return this.#drained
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    clearTimeout(this.#leaving)
    this.#options.stdin.pause()
    this.onclose?.()
  }

  /** The client has said its last; what it asked before is still answered. */
  #end(): void {
    if (this.#ended) return
    this.#ended = true
    this.#leaving = setTimeout(() => void this.close(), LEAVE_MS)
    this.#leave()
  }

  #leave(): void {
    if (this.#ended && this.#under.size === 0) void this.close()
  }

  #read(chunk: Buffer): void {
    let from = 0
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      this.#parts.push(chunk.subarray(from, at))
      const line = this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts)
      this.#parts = []
      this.#bytes = 0
      this.#take(line)
      from = at + 1
    }
    if (from === chunk.length) return
    this.#parts.push(chunk.subarray(from))
    this.#bytes += chunk.length - from
    if (this.#bytes <= MAX_LINE_BYTES) return
    this.#refuse(-32600, `a line of more than ${MAX_LINE_BYTES} bytes is not taken`)
    void this.close()
  }

  #take(line: Buffer): undefined {
    const text = line.toString("utf8")
    if (text.trim() === "") return undefined
    const read = readEnvelope(text)
    if ("code" in read) return this.#refuse(read.code, read.message)
    const { message } = read
    if (message.method !== undefined && message.id !== undefined) {
      const id = message.id as string | number
      if (this.#under.has(id)) return this.#refuse(-32600, `the id ${JSON.stringify(id)} is under way already`)
      this.#under.add(id, true)
    }
    if (message.method === "notifications/cancelled") this.#cancelled(message)
    if (!this.#options.first(message)) this.onmessage?.(message as unknown as JSONRPCMessage)
    return undefined
  }

  /** A request that is cancelled gets no answer. */
  #cancelled({ params }: JsonObject): void {
    this.#under.delete((params as { requestId?: string | number } | undefined)?.requestId ?? "")
    this.#leave()
  }

  #refuse(code: number, why: string): undefined {
    this.#options.onRefused(why)
    const error = { code, message: why }
    this.write(JSON.stringify({ jsonrpc: "2.0", id: null, error }), undefined).catch(() => {})
  }
}

const DONE = Promise.resolve()
