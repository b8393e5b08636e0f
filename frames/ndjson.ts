/** Characters of text that are collected before they are written without waiting any longer. */
const BATCH = 16 * 1024

/** Where frames go. */
export interface Sink {
  /** takes whole lines; what it throws reaches whoever writes */
  write(text: string): void
  /** calls `fn` when the program next has nothing else to do */
  soon(fn: () => void): void
}

/**
 * Writes frames as NDJSON, many to a write. The first frame after a pause is written at once, so that nobody waits for
 * it; those that follow in the same turn are written together, when the turn is over or a batch is full.
 */
export class FrameWriter {
  readonly #sink: Sink
  #text = ""
  #waiting = false

  constructor(sink: Sink) {
    this.#sink = sink
  }

  frame(frame: object): void {
    const line = `${JSON.stringify(frame)}\n`
    if (!this.#waiting) {
      this.#waiting = true
      this.#sink.soon(() => this.#turn())
      this.#sink.write(line)
      return
    }
    this.#text += line
    if (this.#text.length >= BATCH) this.flush()
  }

  /** Writes what is collected. To be called at the end: a frame that is only collected is lost with its process. */
  flush(): void {
    if (this.#text === "") return
    const text = this.#text
    this.#text = ""
    this.#sink.write(text)
  }

  #turn(): void {
    this.flush()
    this.#waiting = false
  }
}
