import type { Frame, Verdict } from "../../frames/frames.ts"
import { decisionOf } from "../../store/audit/decision.ts"
import { type Asked, json, member } from "../asked.ts"
import { callerLevel } from "../autonomy.ts"
import { callerEvent } from "../callers.ts"
import type { Daemon } from "../daemon.ts"
import type { SentEvent } from "../event-body.ts"

/**
 * Fires one moment and answers the verdict with its frames, and what lowered the caller's level. A question is kept for
 * a person: the same moment, sent again, takes the answer.
 */
export function decide({ caller, body, settings, signal }: Asked<SentEvent>, daemon: Daemon): Promise<Response> {
  const { on, phase, event, claims } = body
  const who = callerEvent(caller, claims)
  return daemon.use(async (standing) => {
    const { autonomy, lowered } = callerLevel(standing, caller, settings.autonomy, { ...event, caller: who })
    let approval: string | undefined
    const began = performance.now()
    const fired = await standing.engine.fire(on, phase, event, {
      caller: who,
      signal,
      ask: daemon.approvals.later(standing, (id) => {
        approval = id
      }),
      ...(autonomy === undefined ? {} : { autonomy }),
    })
    const verdict = approval === undefined ? fired : named(fired, approval)
    const durationMs = performance.now() - began
    daemon.metrics.seconds.observe({ on }, durationMs / 1000)
    const decision = decisionOf({
      event,
      on,
      phase,
      caller: who,
      verdict,
      policy: standing.hashes.policy,
      durationMs,
      ...member("approval", approval),
    })
    const recorded = await daemon.recorder.record(decision, verdict)
    daemon.metrics.decisions.inc({ on, outcome: recorded.outcome })
    return json({
      ...recorded,
      ...lowered,
      ...member("approval", approval),
      ...member("notices", settings.notices.length > 0 ? settings.notices : undefined),
    })
  })
}

/** Frames name the question that people see, which may have waited since an earlier moment. */
function named(verdict: Verdict, approval: string): Verdict {
  const frames = verdict.frames.map((frame): Frame => (frame.type === "ask" ? { ...frame, approval } : frame))
  return { ...verdict, frames }
}
