import type { Verdict } from "../../frames/frames.ts"
import type { AuditStore } from "../ports.ts"
import type { Decision } from "./row.ts"

/** A decision that could not be written down. */
export interface Unwritten {
  /** the point that it was about */
  readonly on: string
  readonly reason: string
  /** whether it was told all the same, since `audit.required` is false */
  readonly told: boolean
}

/** Writes decisions down before anybody is told of them. */
export class Recorder {
  readonly required: boolean
  readonly #store: Pick<AuditStore, "append"> | undefined
  readonly #onUnwritten: (unwritten: Unwritten) => void
  /** whether the last decision could be written */
  working = true

  /** @param store absent: nothing is recorded, and nothing waits for it */
  constructor(
    store: Pick<AuditStore, "append"> | undefined,
    required: boolean,
    onUnwritten: (unwritten: Unwritten) => void,
  ) {
    this.#store = store
    this.required = required
    this.#onUnwritten = onUnwritten
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
    return (await this.written(decision)) || !this.required
  }

  /** Whether a decision is in the record now. */
  async written(decision: Decision): Promise<boolean> {
    try {
      await this.#store?.append(decision)
      this.working = true
    } catch (cause) {
      this.working = false
      this.#onUnwritten({ on: decision.on, reason: (cause as Error).message, told: !this.required })
    }
    return this.working
  }
}

/** Why a decision that has to be written, and cannot be, is none. */
export const UNWRITTEN = "the decision could not be written to the audit record"

/** A verdict that nobody could look up later is none: nothing of it is handed out but what was asked. */
function unwritten({ input, frames }: Verdict): Verdict {
  const refusal = { reason: UNWRITTEN, code: "audit" }
  return { outcome: "refuse", input, advice: [], proposals: [], questions: [], refusal, frames }
}
