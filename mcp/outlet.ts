import type { Writable } from "node:stream"

/** A stream to which the first message of a turn of the event loop goes at once, and what follows in that turn in one go. */
export class Outlet {
  readonly #stream: Writable
  #wrote = false

  constructor(stream: Writable) {
    this.#stream = stream
  }

  /** False where the stream wants a rest, as of the stream itself. */
  write(text: string, done?: (cause?: Error | null) => void): boolean {
    if (!this.#wrote) {
      this.#wrote = true
      process.nextTick(() => {
        this.#wrote = false
        this.#stream.uncork()
      })
    } else if (this.#stream.writableCorked === 0) this.#stream.cork()
    return this.#stream.write(text, done)
  }
}
