import { type Asked, json, member } from "../asked.ts"
import { callerLevel } from "../autonomy.ts"
import { callerEvent } from "../callers.ts"
import type { Daemon } from "../daemon.ts"
import { decided } from "../decided.ts"
import type { SentEvent } from "../event-body.ts"
import { parentIn } from "../traces.ts"

/**
 * Fires one moment and answers the verdict with its frames, and what lowered the caller's level. A question is kept for
 * a person: the same moment, sent again, takes the answer.
 */
export function decide(
  { caller, body, settings, signal, header }: Asked<SentEvent>,
  daemon: Daemon,
): Promise<Response> {
  const { on, phase, event, claims } = body
  const who = callerEvent(caller, claims)
  return daemon.use(async (standing) => {
    const { autonomy, lowered } = callerLevel(standing, caller, settings.autonomy, { ...event, caller: who })
    let approval: string | undefined
    const { recorded } = await decided(
      daemon,
      standing,
      { on, phase, event, caller: who },
      {
        signal,
        parent: parentIn(header("traceparent")),
        ask: daemon.approvals.later(standing, (id) => {
          approval = id
        }),
        approval: () => approval,
        ...(autonomy === undefined ? {} : { autonomy }),
      },
    )
    return json({
      ...(await recorded),
      ...lowered,
      ...member("approval", approval),
      ...member("notices", settings.notices.length > 0 ? settings.notices : undefined),
    })
  })
}
