import type { Context } from "@opentelemetry/api"
import type { JsonObject } from "../effects/json.ts"
import type { FireOptions } from "../engine/given.ts"
import type { Frame, Verdict } from "../frames/frames.ts"
import type { Phase } from "../policy/phases.ts"
import type { Point } from "../policy/points.ts"
import { decisionOf } from "../store/audit/decision.ts"
import { member } from "./asked.ts"
import type { Daemon } from "./daemon.ts"
import type { Standing } from "./standing.ts"
import { traced } from "./traces.ts"

/** One moment, and who asks about it. */
export interface Deciding {
  readonly on: Point
  readonly phase: Exclude<Phase, "observe" | "prefix">
  readonly event: JsonObject
  readonly caller: JsonObject
}

/** What one moment came to. */
export interface Decided {
  readonly verdict: Verdict
  /** the verdict that may be told: it is in the record then, or a refusal where it could not be written */
  readonly recorded: Promise<Verdict>
}

/** Fires one moment, and has what came of it written down. */
export async function decided(
  daemon: Daemon,
  standing: Standing,
  { on, phase, event, caller }: Deciding,
  options: Omit<FireOptions, "caller" | "onFrame"> & {
    readonly approval?: () => string | undefined
    /** the trace that it belongs to */
    readonly parent?: Context
  },
): Promise<Decided> {
  const { approval: approvalOf, parent, ...given } = options
  const began = performance.now()
  const fired = await traced({ on, phase, event, caller, parent }, () =>
    standing.engine.fire(on, phase, event, { ...given, caller }),
  )
  const approval = approvalOf?.()
  const verdict = approval === undefined ? fired : named(fired, approval)
  const durationMs = performance.now() - began
  daemon.metrics.seconds.observe({ on }, durationMs / 1000)
  const about = { event, on, phase, caller, verdict, policy: standing.hashes.policy, durationMs }
  const decision = decisionOf({ ...about, ...member("approval", approval) })
  const recorded = daemon.recorder.record(decision, verdict).then((told) => {
    daemon.metrics.decisions.inc({ on, outcome: told.outcome })
    return told
  })
  return { verdict, recorded }
}

/** Frames name the question that people see, which may have waited since an earlier moment. */
function named(verdict: Verdict, approval: string): Verdict {
  const frames = verdict.frames.map((frame): Frame => (frame.type === "ask" ? { ...frame, approval } : frame))
  return { ...verdict, frames }
}
