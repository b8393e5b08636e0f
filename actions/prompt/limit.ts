import { after } from "../deadline.ts"

/** A signal that is aborted when another is, or when so many milliseconds are over: a step's time may be shorter than its hook's. */
export function limited(signal: AbortSignal, ms: number): { readonly signal: AbortSignal; done(): void } {
  const controller = new AbortController()
  const abort = () => controller.abort()
  if (signal.aborted) abort()
  const timer = after(ms, abort)
  signal.addEventListener("abort", abort, { once: true })
  return {
    signal: controller.signal,
    done() {
      clearTimeout(timer)
      signal.removeEventListener("abort", abort)
    },
  }
}
