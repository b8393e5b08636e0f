import { lowest } from "../../effects/levels.ts"
import { explain } from "../../govern/explain.ts"
import { eventJsonSchema } from "../../policy/events.ts"
import { PHASES } from "../../policy/phases.ts"
import { POINT_NAMES, phasesOf, pointRow } from "../../policy/points.ts"
import { showOrigin, showScope } from "../../policy/policy.ts"
import { settingReport } from "../../settings/report/reports.ts"
import { type Asked, json, member } from "../asked.ts"
import { boundaryRows } from "../boundaries.ts"
import type { Daemon } from "../daemon.ts"
import { openApi } from "../openapi.ts"

/** The points that hooks can be on, and what a hook receives there. */
export const points = (): Response =>
  json({
    points: POINT_NAMES.map((point) => ({
      point,
      doc: pointRow(point).doc,
      phases: Object.fromEntries(
        phasesOf(point).map((phase) => {
          const { subject = "none", limit = "run" } = pointRow(point).phases[phase] ?? {}
          return [phase, { limit: lowest(PHASES[phase].ceiling, limit), subject }]
        }),
      ),
      schema: eventJsonSchema(point),
    })),
  })

/** The hooks in force, at which level, and where each came from; what any setting says of itself, besides. */
export function hooksInForce(_: Asked, { standing, stale }: Daemon): Response {
  const { policy, notices, hashes, layers } = standing
  const hooks = policy.hooks.filter((hook) => hook !== null)
  const levels = explain(policy)
  return json({
    ...settingReport("hooks", { layers, policy }),
    hooks: hooks.map((hook, at) => ({
      id: hook.id,
      on: hook.on,
      phase: hook.phase,
      action: hook.action.kind,
      effect: hook.effect,
      effective: levels[at]!.effective,
      floor: hook.floor,
      failure: hook.failure,
      enabled: hook.enabled,
      ...(hook.grant ? { within: showScope(hook.grant) } : {}),
      layer: hook.origins[0]?.layer,
      origins: hook.origins.map(showOrigin),
    })),
    notices,
    policy: hashes.policy,
    ...member("stale", stale),
  })
}

/** Notices for the user, newest first. */
export async function threads({ query }: Asked, { state }: Daemon): Promise<Response> {
  return json({ threads: await state.threads.list(query.has("unread") ? { unread: true } : {}) })
}

/** Every restriction, and whether it is enforced. */
export const boundaries = (): Response => json({ boundaries: boundaryRows() })

/** The description of all routes. */
export const openapi = (): Response => json(openApi())
