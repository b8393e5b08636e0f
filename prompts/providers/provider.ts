import type { ModelRequest, Reply, Target } from "../request.ts"

/** How long one request may take, and what ends it before. */
export interface Limits {
  /** milliseconds */
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** One provider's interface. */
export interface Provider {
  /**
   * Sends one request, once.
   *
   * @throws Trouble where no answer came, whatever the reason.
   */
  ask(request: ModelRequest, target: Target, limits: Limits): Promise<Reply>
}

/** The largest answer that is read, in bytes: far above any limit of tokens. */
export const MAX_ANSWER_BYTES = 4 * 1024 * 1024
