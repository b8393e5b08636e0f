import { readSync, writeSync } from "node:fs"
import { Socket } from "node:net"
import { LineReader } from "./lines.ts"
import { type CallAnswer, IN_FD, type Message, OUT_FD, type Plan } from "./plan.ts"

/** The child's end of the two descriptors that it shares with its parent. */

/** Says one thing to the parent, and returns when it is out: nothing is lost by `process.exit` or a crash after it. */
export function send(message: Message): void {
  const bytes = Buffer.from(`${JSON.stringify(message)}\n`)
  let at = 0
  while (at < bytes.length) {
    try {
      at += writeSync(OUT_FD, bytes, at)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      // a parent that is gone hears nothing more, which is no fault of the script's
      if (code === "EPIPE" || code === "EBADF" || code === "ECONNRESET") return
      if (code !== "EAGAIN") throw error
      pause(2)
    }
  }
}

/** Reads the plan, the first line, before anything else of the child runs. */
export function readPlan(): Plan {
  const parts: Buffer[] = []
  for (;;) {
    const chunk = Buffer.allocUnsafe(65_536)
    const length = readChunk(chunk)
    if (length === 0) throw new Error("the parent ended before it sent a plan")
    parts.push(chunk.subarray(0, length))
    // answers come only after calls, so nothing can follow the plan's newline yet
    if (chunk[length - 1] === 0x0a) return JSON.parse(Buffer.concat(parts).toString()) as Plan
  }
}

function readChunk(chunk: Buffer): number {
  for (;;) {
    try {
      return readSync(IN_FD, chunk)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error
      pause(2)
    }
  }
}

const pause = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

/** The answers to calls. Keeps the process alive only while one is awaited; opened with the first. */
export class Answers {
  readonly #pending = new Map<number, (answer: CallAnswer) => void>()
  #socket: Socket | undefined
  #last = 0

  /** Sends a call and waits for its answer. */
  ask(server: string, tool: string, args: object): Promise<CallAnswer> {
    const id = ++this.#last
    const socket = this.#open()
    return new Promise((settle) => {
      this.#pending.set(id, settle)
      socket.ref()
      send({ type: "call", id, server, tool, args })
    })
  }

  #open(): Socket {
    if (this.#socket) return this.#socket
    const reader = new LineReader(
      (line) => this.#settle(JSON.parse(line) as CallAnswer),
      undefined,
      Number.POSITIVE_INFINITY,
    )
    const socket = new Socket({ fd: IN_FD, readable: true, writable: false })
    socket.on("data", (chunk) => reader.push(chunk))
    const gone = (): void => {
      for (const id of [...this.#pending.keys()])
        this.#settle({ id, error: { code: "cancelled", message: "the run is over" } })
    }
    socket.on("error", gone).on("close", gone)
    this.#socket = socket
    return socket
  }

  #settle(answer: CallAnswer): void {
    const settle = this.#pending.get(answer.id)
    this.#pending.delete(answer.id)
    if (this.#pending.size === 0) this.#socket?.unref()
    settle?.(answer)
  }
}
