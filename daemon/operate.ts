import type { OperationFn } from "../engine/around.ts"
import type { Engine } from "../engine/engine.ts"
import { OperationError } from "../engine/errors.ts"
import type { FireOptions } from "../engine/given.ts"
import type { Frame, Verdict } from "../frames/frames.ts"
import { decisionOf } from "../store/audit/decision.ts"
import { member } from "./asked.ts"
import type { Daemon } from "./daemon.ts"
import type { Standing } from "./standing.ts"

/** Frames that tell what came of an operation: they wait until it is written down. */
const OUTCOME: readonly Frame["type"][] = Object.freeze(["result", "error"])

/** Whose operations these are, and what they are done with. */
export interface Operating {
  readonly daemon: Daemon
  readonly standing: Standing
  readonly caller: FireOptions["caller"] & object
  /** in place of the policy's own: with hooks of this one call */
  readonly engine?: Engine
}

/**
 * Operations that are written down: before anything is sent, that it may be, and before anybody is told, what came of it.
 *
 * INVARIANT: what cannot be written is not sent (test/daemon/operations.test.ts).
 */
export function operating({ daemon, standing, caller, engine = standing.engine }: Operating): Pick<Engine, "around"> {
  const { recorder, metrics } = daemon
  const policy = standing.hashes.policy
  return {
    async around(on, event, operation, { onFrame, ...given } = {}) {
      const began = performance.now()
      const sending: OperationFn = async (input, context) => {
        const about = { on, caller, policy, event: context.event }
        const may = { outcome: "continue", input, advice: [], proposals: [], questions: [], frames: [] } as const
        if (await recorder.allows(decisionOf({ ...about, phase: "before", verdict: may }))) {
          return (operation as OperationFn)(input, context)
        }
        throw new OperationError({ code: "audit", message: "the decision could not be written to the audit record" })
      }
      const held = new Held(onFrame)
      let approval: string | undefined
      const verdict = await engine.around(on, event, sending, {
        ...given,
        caller,
        ask: daemon.approvals.waiting(
          standing,
          (id) => {
            approval = id
          },
          given.ask,
        ),
        onFrame: (frame) => held.frame(frame),
      })
      const durationMs = performance.now() - began
      const recorded = await recorder.record(
        decisionOf({ event, on, caller, verdict, policy, durationMs, ...member("approval", approval) }),
        verdict,
      )
      held.release(recorded)
      metrics.seconds.observe({ on }, durationMs / 1000)
      metrics.decisions.inc({ on, outcome: recorded.outcome })
      return recorded
    },
  }
}

/** Passes frames on up to the outcome, and the rest when it may be told. */
class Held {
  readonly #onFrame: FireOptions["onFrame"]
  #frames: Frame[] | undefined

  constructor(onFrame: FireOptions["onFrame"]) {
    this.#onFrame = onFrame
  }

  frame(frame: Frame): void {
    if (this.#frames) this.#frames.push(frame)
    else if (OUTCOME.includes(frame.type)) this.#frames = [frame]
    else this.#onFrame?.(frame)
  }

  release({ refusal }: Verdict): void {
    for (const frame of this.#frames ?? []) {
      const unwritten = refusal?.code === "audit" && OUTCOME.includes(frame.type)
      this.#onFrame?.(unwritten ? { type: "error", error: { code: "refused", message: refusal.reason } } : frame)
    }
  }
}
