import type { AbortSignalLike } from "../policy/policy.ts"
/** So many at once; more wait, in order. */
export class Turns {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(atOnce: number) {
    this.#free = atOnce
  }

  /**
   * Waits for a turn; the answer gives it back, once.
   *
   * @throws the signal's reason where it is aborted before.
   */
  async take(signal?: AbortSignalLike): Promise<() => void> {
    if (this.#free > 0) this.#free--
    else await this.#wait(signal)
    let given = false
    return () => {
      if (given) return
      given = true
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free++
    }
  }

  #wait(signal?: AbortSignalLike): Promise<void> {
    return new Promise((resolve, reject) => {
      const turn = (): void => {
        signal?.removeEventListener("abort", gone)
        resolve()
      }
      const gone = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(turn), 1)
        reject(signal!.reason)
      }
      if (signal?.aborted) return reject(signal.reason)
      signal?.addEventListener("abort", gone, { once: true })
      this.#waiting.push(turn)
    })
  }
}
