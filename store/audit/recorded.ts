import type { JsonObject } from "../../effects/json.ts"
import type { OperationFn } from "../../engine/around.ts"
import type { Engine } from "../../engine/engine.ts"
import { OperationError } from "../../engine/errors.ts"
import type { FireOptions } from "../../engine/given.ts"
import type { Frame, Verdict } from "../../frames/frames.ts"
import { decisionOf } from "./decision.ts"
import { type Recorder, UNWRITTEN } from "./recorder.ts"

/** Frames that tell what came of an operation: they wait until it is written down. */
const OUTCOME: readonly Frame["type"][] = Object.freeze(["result", "error"])

const LOCAL: JsonObject = Object.freeze({ id: "local" })

/**
 * An engine whose decisions are written down: of a moment its verdict; of an operation, before anything is sent, that it
 * may be, and before anybody is told, what came of it.
 *
 * INVARIANT: what cannot be written is not sent (test/daemon/operations.test.ts).
 *
 * @param policy the hash of the policy in force
 * @param approval the question that a decision left open, or whose answer let it go on
 */
export function recorded(
  engine: Engine,
  recorder: Recorder,
  policy: string,
  approval: () => string | undefined = () => undefined,
): Engine {
  const callerOf = ({ caller }: FireOptions, event: JsonObject): JsonObject =>
    caller ?? (event.caller as JsonObject | undefined) ?? LOCAL
  const asked = (): { readonly approval?: string } => {
    const id = approval()
    return id === undefined ? {} : { approval: id }
  }
  return {
    async fire(on, phase, event, given = {}) {
      const began = performance.now()
      const verdict = await engine.fire(on, phase, event, given)
      const durationMs = performance.now() - began
      const caller = callerOf(given, event)
      const decided = { event, on, phase, caller, verdict, policy, durationMs, ...asked() }
      return recorder.record(decisionOf(decided), verdict)
    },
    async around(on, event, operation, given = {}) {
      const began = performance.now()
      const caller = callerOf(given, event)
      const sending: OperationFn = async (input, context) => {
        const may = { outcome: "continue", input, advice: [], proposals: [], questions: [], frames: [] } as const
        const decision = decisionOf({ on, phase: "before", caller, policy, event: context.event, verdict: may })
        if (await recorder.allows(decision)) return (operation as OperationFn)(input, context)
        throw new OperationError({ code: "audit", message: UNWRITTEN })
      }
      const held = new Held(given.onFrame)
      const verdict = await engine.around(on, event, sending, { ...given, onFrame: (frame) => held.frame(frame) })
      const durationMs = performance.now() - began
      const decided = { event, on, caller, verdict, policy, durationMs, ...asked() }
      const told = await recorder.record(decisionOf(decided), verdict)
      held.release(told)
      return told
    },
    publish: (type, about, given) => engine.publish(type, about, given),
    close: () => engine.close(),
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
