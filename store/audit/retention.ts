import type { AuditStore, Pruned } from "../ports.ts"

/** Milliseconds between two looks at what has grown too old, or too much. */
const INTERVAL_MS = 60_000

/** Rows that go at once: whoever decides meanwhile does not wait for more. */
const AT_ONCE = 1000

const DAY_MS = 86_400_000

export interface RetentionOptions {
  readonly keepDays?: number
  readonly keepRows?: number
  /** what went, once something did */
  readonly onPruned: (pruned: Pruned) => void
  readonly onFailed: (cause: Error) => void
}

/** Prunes a record that is written meanwhile: at the start, and again and again until it is closed. */
export class Retention {
  readonly #record: Pick<AuditStore, "prune">
  readonly #options: RetentionOptions
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #closed = false

  constructor(record: Pick<AuditStore, "prune">, options: RetentionOptions) {
    this.#record = record
    this.#options = options
    if (options.keepDays === undefined && options.keepRows === undefined) return
    this.#start()
    this.#timer = setInterval(() => this.#start(), INTERVAL_MS)
    this.#timer.unref()
  }

  async close(): Promise<void> {
    this.#closed = true
    clearInterval(this.#timer)
    await this.#running
  }

  #start(): void {
    this.#running ??= this.#prune().finally(() => {
      this.#running = undefined
    })
  }

  async #prune(): Promise<void> {
    const { keepDays, keepRows, onPruned, onFailed } = this.#options
    try {
      let rows = 0
      let last: Pruned["checkpoint"]
      while (!this.#closed) {
        const pruned = await this.#record.prune({
          atMost: AT_ONCE,
          ...(keepDays === undefined ? {} : { since: new Date(Date.now() - keepDays * DAY_MS).toISOString() }),
          ...(keepRows === undefined ? {} : { rows: keepRows }),
        })
        if (!pruned.checkpoint) break
        rows += pruned.rows
        last = pruned.checkpoint
        // What waits for the same thread comes in between.
        await new Promise((resolve) => setImmediate(resolve))
      }
      if (last) onPruned({ rows, checkpoint: last })
    } catch (cause) {
      onFailed(cause as Error)
    }
  }
}
