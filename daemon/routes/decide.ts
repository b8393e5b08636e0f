import { type Asked, json, member } from "../asked.ts"
import { callerLevel } from "../autonomy.ts"
import { callerEvent } from "../callers.ts"
import type { Daemon } from "../daemon.ts"
import type { SentEvent } from "../event-body.ts"

/** Fires one moment and answers the verdict with its frames, and what lowered the caller's level. */
export function decide({ caller, body, settings, signal }: Asked<SentEvent>, daemon: Daemon): Promise<Response> {
  const { on, phase, event, claims } = body
  const who = callerEvent(caller, claims)
  return daemon.use(async (standing) => {
    const { autonomy, lowered } = callerLevel(standing, caller, settings.autonomy, { ...event, caller: who })
    const stop = daemon.metrics.seconds.startTimer({ on })
    const verdict = await standing.engine.fire(on, phase, event, {
      caller: who,
      signal,
      ...(autonomy === undefined ? {} : { autonomy }),
    })
    stop()
    daemon.metrics.decisions.inc({ on, outcome: verdict.outcome })
    return json({
      ...verdict,
      ...lowered,
      ...member("notices", settings.notices.length > 0 ? settings.notices : undefined),
    })
  })
}
