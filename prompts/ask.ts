import { setTimeout as sleep } from "node:timers/promises"
import { type Failed, failed } from "../frames/failures.ts"
import type { Provider } from "./providers/provider.ts"
import { Trouble } from "./providers/trouble.ts"
import type { ModelRequest, Reply, Target } from "./request.ts"

/** How often one request is sent at most. */
const MAX_ATTEMPTS = 5

/** Milliseconds to wait before the second attempt where the server does not say; each further one waits twice as long. */
const FIRST_WAIT_MS = 250

/** Milliseconds that an answer takes at least: an attempt that would have less is not made. */
const LEAST_MS = 20

export type Asked = { readonly reply: Reply } | { readonly failed: Failed }

/**
 * Asks a model, and again where that can help, all within one time: attempts and waits share it, and one that would not fit is
 * not made.
 *
 * @param limits milliseconds for everything, and what ends it before
 */
export async function ask(
  provider: Provider,
  request: ModelRequest,
  target: Target,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<Asked> {
  const end = performance.now() + timeoutMs
  for (let attempt = 1; ; attempt++) {
    const left = end - performance.now()
    try {
      return { reply: await provider.ask(request, target, { timeoutMs: Math.max(1, Math.ceil(left)), signal }) }
    } catch (cause) {
      if (signal.aborted || performance.now() >= end) return { failed: failed("timeout") }
      if (!(cause instanceof Trouble)) throw cause
      const wait = cause.retryAfterMs ?? FIRST_WAIT_MS * 2 ** (attempt - 1)
      const fits = performance.now() + wait + LEAST_MS < end
      if (!cause.passing || attempt === MAX_ATTEMPTS || !fits) return { failed: failureOf(cause) }
      if (!(await rest(wait, signal))) return { failed: failed("timeout") }
    }
  }
}

const failureOf = ({ status, message }: Trouble): Failed =>
  status === 429 ? failed("rate-limited") : failed("model-error", { detail: message })

/** Waits; answers false where it was ended before. */
const rest = (ms: number, signal: AbortSignal): Promise<boolean> =>
  sleep(ms, undefined, { signal }).then(
    () => true,
    () => false,
  )
