import type { AbortSignalLike } from "../policy/policy.ts"

/** The end of one request before its answer. A real AbortController, made for each call, costs more than the call's own guards. */
export class Cancel implements AbortSignalLike {
  aborted = false
  reason: unknown
  readonly #listeners = new Set<() => void>()

  addEventListener(_type: "abort", listener: () => void): void {
    this.#listeners.add(listener)
  }

  removeEventListener(_type: "abort", listener: () => void): void {
    this.#listeners.delete(listener)
  }

  /** Tells every listener, once. */
  abort(reason: unknown = new Error("the request was cancelled")): void {
    if (this.aborted) return
    this.aborted = true
    this.reason = reason
    for (const listener of this.#listeners) listener()
    this.#listeners.clear()
  }
}
