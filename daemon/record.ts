import type { Verdict } from "../frames/frames.ts"
import type { Decision } from "../store/audit/row.ts"
import type { AuditStore } from "../store/ports.ts"
import type { Logger } from "./log.ts"

/** Writes decisions down before anybody is told of them. */
export class Recorder {
  readonly #store: Pick<AuditStore, "append"> | undefined
  readonly #required: boolean
  readonly #log: Logger
  /** whether the last decision could be written */
  working = true

  constructor(store: Pick<AuditStore, "append"> | undefined, required: boolean, log: Logger) {
    this.#store = store
    this.#required = required
    this.#log = log
  }

  /**
   * Writes a decision and answers the verdict that may be told: where it cannot be written and has to be, a refusal.
   *
   * INVARIANT: what was acknowledged is in the record (test/daemon/record.test.ts).
   */
  async record(decision: Decision, verdict: Verdict): Promise<Verdict> {
    return (await this.allows(decision)) ? verdict : unwritten(verdict)
  }

  /** Whether what was decided may be acted upon: it is written, or need not be. */
  async allows(decision: Decision): Promise<boolean> {
    return (await this.written(decision)) || !this.#required
  }

  /** Whether a decision is in the record now. */
  async written(decision: Decision): Promise<boolean> {
    try {
      await this.#store?.append(decision)
      this.working = true
    } catch (cause) {
      this.working = false
      this.#log.error({ on: decision.on, reason: (cause as Error).message }, "a decision could not be written")
    }
    return this.working
  }
}

/** A verdict that nobody could look up later is none: nothing of it is handed out but what was asked. */
function unwritten({ input, frames }: Verdict): Verdict {
  const reason = "the decision could not be written to the audit record"
  const refusal = { reason, code: "audit" }
  return { outcome: "refuse", input, advice: [], proposals: [], questions: [], refusal, frames }
}
