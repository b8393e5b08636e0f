import { type Signs, sameSigns, signsOf, someGone } from "./signs.ts"

/** Milliseconds between two looks at the files, and between two tries to read what could not be used. */
const LOOK_MS = 200
const AGAIN_MS = 1000
/** Milliseconds for which a file has to be absent before it counts as deleted. */
const ABSENT_MS = 2000
/** Milliseconds after which files that change all the time are read all the same. */
const PATIENCE_MS = 1000

/**
 * Looks at files again and again, in place of being told: a file renamed over another, a folder made anew, a mounted
 * volume and a disk on the network all look alike to it, and there is no watcher that could be lost.
 */
export class Watch {
  readonly #changed: () => Promise<boolean>
  #read: Signs
  #seen: Signs
  #readAt = performance.now()
  #usable = true
  /** since when the files differ from what was read, and since when one of them is gone */
  #differs: number | undefined
  #gone: number | undefined
  #timer: NodeJS.Timeout | undefined
  #closed = false

  /**
   * @param read the files, as they were when they were read
   * @param changed called when they have changed and rest; false: what they hold cannot be used, so that they are read again
   */
  constructor(read: Signs, changed: () => Promise<boolean>) {
    this.#changed = changed
    this.#read = read
    this.#seen = read
    this.#next()
  }

  /** The files that matter, as they are now. */
  now(): Signs {
    return signsOf([...this.#read.keys()])
  }

  /** From here on these are the files that matter, and what was read of them. */
  note(read: Signs): void {
    this.#read = read
    this.#readAt = performance.now()
    this.#differs = undefined
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
  }

  #next(): void {
    if (this.#closed) return
    this.#timer = setTimeout(() => void this.#look(), LOOK_MS)
    this.#timer.unref()
  }

  async #look(): Promise<void> {
    if (this.#isToRead(performance.now())) this.#usable = await this.#changed()
    this.#next()
  }

  /** Whether there is something new to read, and nobody is in the middle of writing it. */
  #isToRead(now: number): boolean {
    const signs = this.now()
    const moved = !sameSigns(signs, this.#seen)
    this.#seen = signs
    this.#gone = someGone(this.#read, signs) ? (this.#gone ?? now) : undefined
    if (this.#gone !== undefined) return now - this.#gone >= ABSENT_MS
    if (sameSigns(signs, this.#read)) {
      this.#differs = undefined
      return !this.#usable && now - this.#readAt >= AGAIN_MS
    }
    this.#differs ??= now
    return !moved || now - this.#differs >= PATIENCE_MS
  }
}
