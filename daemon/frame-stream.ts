import { cutFrame } from "../exec/lines.ts"
import type { Frame } from "../frames/frames.ts"
import { FrameWriter } from "../frames/ndjson.ts"

/** Characters of output that wait for a reader; what is printed beyond is counted, and told when there is room. */
const WAITING = 8 * 1024 * 1024

/** What a script prints, which may be any amount; every other frame is kept whatever the reader does. */
const OUTPUT: readonly Frame["type"][] = Object.freeze(["stdout", "stderr", "log", "emit", "artifact.chunk"])

/** Frames as the NDJSON body of a response, at the pace of whoever reads it. */
export class FrameStream {
  readonly stream: ReadableStream<Uint8Array>
  readonly #encoder = new TextEncoder()
  readonly #writer = new FrameWriter({ write: (text) => this.#write(text), soon: setImmediate })
  #texts: string[] = []
  #length = 0
  #lost = 0
  #ended = false
  #last: Frame["type"] | undefined
  #outcome = false
  readonly #began = performance.now()
  #waiting: (() => void) | undefined

  /** @param onGone called when the reader is gone */
  constructor(onGone: () => void) {
    this.stream = new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          if (this.#texts.length === 0 && !this.#ended) {
            await new Promise<void>((resolve) => {
              this.#waiting = resolve
            })
          }
          const text = this.#texts.join("")
          this.#texts = []
          this.#length = 0
          if (text !== "") controller.enqueue(this.#encoder.encode(text))
          if (this.#ended) controller.close()
        },
        cancel: onGone,
      },
      { highWaterMark: 0 },
    )
  }

  frame(frame: Frame): void {
    this.#last = frame.type
    this.#outcome ||= frame.type === "result" || frame.type === "error"
    for (const piece of cutFrame(frame)) {
      if (OUTPUT.includes(piece.type) && this.#length >= WAITING) this.#lost++
      else {
        this.#tellLost()
        this.#writer.frame(piece)
      }
    }
  }

  /** Ends what went wrong outside of any operation as every stream ends: with one outcome, and `end`. */
  fail(message: string): void {
    if (this.#last !== "end" && !this.#outcome) this.frame({ type: "error", error: { code: "fault", message } })
    if (this.#last !== "end") {
      this.frame({ type: "end", exitCode: 1, durationMs: Math.round(performance.now() - this.#began) })
    }
  }

  end(): void {
    this.#tellLost()
    this.#writer.flush()
    this.#ended = true
    this.#wake()
  }

  #tellLost(): void {
    if (this.#lost === 0) return
    const text = `${this.#lost} frames of output were dropped: the reader is too slow`
    this.#lost = 0
    this.#writer.frame({ type: "log", level: "warn", args: [text] } satisfies Frame)
  }

  #write(text: string): void {
    this.#texts.push(text)
    this.#length += text.length
    this.#wake()
  }

  #wake(): void {
    const waiting = this.#waiting
    this.#waiting = undefined
    waiting?.()
  }
}

/** Whether a client asks for frames as they come. */
export const wantsFrames = (accept: string | undefined): boolean => /\bapplication\/x-ndjson\b/.test(accept ?? "")
