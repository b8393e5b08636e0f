/** Lets so many in at once; the others wait, in order, and leave when their signal says so. */
export class Turns {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(limit: number) {
    this.#free = limit
  }

  /** Resolves with what gives the turn back, or with undefined where the signal came first. */
  take(signal: AbortSignal): Promise<(() => void) | undefined> | (() => void) | undefined {
    if (signal.aborted) return undefined
    if (this.#free > 0) {
      this.#free--
      return this.#back
    }
    return new Promise((resolve) => {
      const enter = () => {
        signal.removeEventListener("abort", leave)
        resolve(this.#back)
      }
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1)
        resolve(undefined)
      }
      this.#waiting.push(enter)
      signal.addEventListener("abort", leave, { once: true })
    })
  }

  readonly #back = (): void => {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#free++
  }
}
