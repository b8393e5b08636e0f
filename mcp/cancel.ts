import type { AbortSignalLike } from "../policy/policy.ts"

/** The end of one request before its answer. A real AbortController, made for each call, costs more than the call's own guards. */
export class Cancel implements AbortSignalLike {
  aborted = false
  reason: unknown
  #listeners: (() => void)[] = []

  addEventListener(_type: "abort", listener: () => void): void {
    this.#listeners.push(listener)
  }

  removeEventListener(_type: "abort", listener: () => void): void {
    const at = this.#listeners.indexOf(listener)
    if (at >= 0) this.#listeners.splice(at, 1)
  }

  /** Tells every listener, once. */
  abort(reason: unknown = new Error("the request was cancelled")): void {
    if (this.aborted) return
    this.aborted = true
    this.reason = reason
    const listeners = this.#listeners
    this.#listeners = []
    for (const listener of listeners) listener()
  }
}
