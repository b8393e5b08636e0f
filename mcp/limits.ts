/** Milliseconds, and how many at once. */
export interface Limits {
  /** from the start to the end of the handshake */
  readonly startMs: number
  /** of one request; news of its progress starts it anew */
  readonly requestMs: number
  /** requests at once; more wait their turn */
  readonly concurrency: number
}

export const LIMITS: Limits = Object.freeze({ startMs: 30_000, requestMs: 60_000, concurrency: 256 })
