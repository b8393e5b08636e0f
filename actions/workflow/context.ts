import type { ActionContext } from "../../engine/ports.ts"
import { after } from "../deadline.ts"

/**
 * The same context with less time, and a signal that says when that is over. Neither signal nor timer is made before a step
 * reads it; `done` ends the timer.
 */
export class StepContext implements ActionContext {
  readonly timeoutMs: number
  readonly #hook: ActionContext
  readonly #end: number
  #own: AbortController | undefined
  #timer: NodeJS.Timeout | undefined
  readonly #abort = (): void => this.#own?.abort()

  constructor(hook: ActionContext, timeoutMs: number) {
    this.#hook = hook
    this.timeoutMs = timeoutMs
    this.#end = performance.now() + timeoutMs
  }

  get hook() {
    return this.#hook.hook
  }

  get effective() {
    return this.#hook.effective
  }

  get operation() {
    return this.#hook.operation
  }

  get signal() {
    if (!this.#own) {
      this.#own = new AbortController()
      const { signal } = this.#hook
      if (signal.aborted) this.#abort()
      signal.addEventListener("abort", this.#abort)
      this.#timer = after(this.#end - performance.now(), this.#abort)
    }
    return this.#own.signal
  }

  call(server: string, tool: string, args: Parameters<ActionContext["call"]>[2]) {
    return this.#hook.call(server, tool, args)
  }

  done(): void {
    if (!this.#own) return
    clearTimeout(this.#timer)
    this.#hook.signal.removeEventListener("abort", this.#abort)
  }
}
