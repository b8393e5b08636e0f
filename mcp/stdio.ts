import { type ChildProcess, spawn } from "node:child_process"
import type { JSONRPCMessage, MessageExtraInfo, Transport } from "@modelcontextprotocol/client"
import { endTree } from "../actions/run/tree.ts"
import { isObject } from "../effects/json.ts"
import { Outlet } from "./outlet.ts"
import type { Kept } from "./tap.ts"

/** The longest line that is read where the policy says nothing, in bytes: a result of 10 MB passes with room to spare. */
const MAX_LINE_BYTES = 256 * 1024 * 1024

/** Milliseconds that a server has to end by itself once its stdin is closed. */
const LEAVE_MS = 1000

/** Bytes of a server's stderr that are kept, the last ones. */
const STDERR_BYTES = 4096

const NEWLINE = 10

export interface ChildOptions {
  /** the program's whole path */
  readonly file: string
  readonly argv: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** the mark in `env` by which all processes of this server are known */
  readonly mark: string
  /** the longest line that is read, in bytes */
  readonly maxBytes?: number
}

/**
 * A server as a child process: one JSON-RPC message a line. The child leads a process group of its own, and all of its
 * processes end with it. The SDK's transport ends the child alone, and leaves what that started.
 */
export class ChildTransport implements Transport {
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
  onmessage?: ((message: JSONRPCMessage, extra?: MessageExtraInfo) => void) | undefined
  readonly #options: ChildOptions
  #child: ChildProcess | undefined
  #outlet: Outlet | undefined
  #parts: Buffer[] = []
  #bytes = 0
  #stderr = ""
  #closing: Promise<void> | undefined
  #fault: string | undefined

  constructor(options: ChildOptions) {
    this.#options = options
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** What the server last wrote to its stderr. */
  get stderr(): string {
    return this.#stderr
  }

  /** How it has ended, once it has: its exit code or signal, and what it last said on stderr. */
  get ended(): string | undefined {
    if (this.#fault !== undefined) return this.#fault
    const { exitCode = null, signalCode = null } = this.#child ?? {}
    if (exitCode === null && signalCode === null) return undefined
    const last = this.#stderr.trimEnd().split("\n").at(-1)?.trim()
    const how = signalCode === null ? `exit code ${exitCode}` : `signal ${signalCode}`
    return last ? `${how} (${last.slice(-300)})` : how
  }

  async start(): Promise<void> {
    const { file, argv, cwd, env } = this.#options
    const child = spawn(file, argv.slice(1), { argv0: argv[0]!, cwd, env, detached: true, stdio: "pipe" })
    this.#child = child
    this.#outlet = new Outlet(child.stdin!)
    child.stdout!.on("data", (chunk: Buffer) => this.#read(chunk))
    child.stderr!.on("data", (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString("utf8")).slice(-STDERR_BYTES)
    })
    // A server that is gone shows in `close`; a write to it is no error of its own.
    child.stdin!.on("error", () => {})
    child.on("close", () => this.onclose?.())
    // A server that runs on and can say nothing any more is none: it is ended, and started anew when it is needed.
    child.stdout!.once("end", () => void this.close())
    await new Promise<void>((resolve, reject) => child.once("spawn", resolve).once("error", reject))
  }

  send(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#outlet!.write(`${JSON.stringify(message)}\n`, (cause) => (cause ? reject(cause) : resolve()))
    })
  }

  /** Ends the server and everything that it started. */
  close(): Promise<void> {
    this.#closing ??= this.#end()
    return this.#closing
  }

  async #end(): Promise<void> {
    const child = this.#child
    if (!child?.pid) return
    const closed = new Promise<void>((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) resolve()
      else child.once("close", () => resolve())
    })
    child.stdin!.end()
    let timer: NodeJS.Timeout | undefined
    await Promise.race([
      closed,
      new Promise<void>((resolve) => {
        timer = setTimeout(resolve, LEAVE_MS)
      }),
    ])
    clearTimeout(timer)
    if (child.stdout!.readableEnded && child.exitCode === null && child.signalCode === null) {
      this.#fault ??= "its output closed"
    }
    await endTree(child.pid, this.#options.mark)
  }

  /** Whole lines are decoded, never parts: a character may arrive in two pieces. */
  #read(chunk: Buffer): void {
    let from = 0
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      if (!this.#add(chunk.subarray(from, at))) return
      const line = this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts)
      this.#parts = []
      this.#bytes = 0
      this.#take(line)
      from = at + 1
    }
    if (from < chunk.length) this.#add(chunk.subarray(from))
  }

  /** False where the line has become too long: the server is ended. */
  #add(part: Buffer): boolean {
    if (this.#fault !== undefined) return false
    this.#parts.push(part)
    this.#bytes += part.length
    const { maxBytes = MAX_LINE_BYTES } = this.#options
    if (this.#bytes <= maxBytes) return true
    this.#parts = []
    this.#fault = `a line of more than ${maxBytes} bytes`
    this.onerror?.(new Error(`the server wrote ${this.#fault}`))
    void this.close()
    return false
  }

  #take(line: Buffer): void {
    const text = line.toString("utf8").trim()
    if (text === "") return
    let message: unknown
    try {
      message = JSON.parse(text)
    } catch {
      message = undefined
    }
    // What is no message is passed over, as a server's chatter is: a request that it should answer has its deadline.
    if (!isObject(message)) this.onerror?.(new Error("the server wrote a line that is no message"))
    // Our own tap may pass the line on as it came; the SDK looks at nothing of this.
    else this.onmessage?.(message as unknown as JSONRPCMessage, { line: text } as Kept & MessageExtraInfo)
  }
}
