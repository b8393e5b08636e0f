import type { Context } from "@opentelemetry/api"
import type { Engine } from "../engine/engine.ts"
import type { FireOptions } from "../engine/given.ts"
import { recorded } from "../store/audit/recorded.ts"
import type { Daemon } from "./daemon.ts"
import type { Standing } from "./standing.ts"
import { traced } from "./traces.ts"

/** Whose operations these are, and what they are done with. */
export interface Operating {
  readonly daemon: Daemon
  readonly standing: Standing
  readonly caller: FireOptions["caller"] & object
  /** in place of the policy's own: with hooks of this one call */
  readonly engine?: Engine
  /** the trace that they belong to */
  readonly parent?: Context
}

/** Operations of a caller that are recorded, that wait for a person where a hook asks, and that are counted. */
export function operating({
  daemon,
  standing,
  caller,
  engine = standing.engine,
  parent,
}: Operating): Pick<Engine, "around"> {
  const { recorder, metrics } = daemon
  return {
    async around(on, event, operation, given = {}) {
      const began = performance.now()
      let approval: string | undefined
      const recording = recorded(engine, recorder, standing.hashes.policy, () => approval)
      const opened = (id: string): void => {
        approval = id
      }
      const ask = daemon.approvals.waiting(standing, opened, given.ask)
      const verdict = await traced({ on, event, caller, parent }, () =>
        recording.around(on, event, operation, { ...given, caller, ask }),
      )
      metrics.seconds.observe({ on }, (performance.now() - began) / 1000)
      metrics.decisions.inc({ on, outcome: verdict.outcome })
      return verdict
    },
  }
}
