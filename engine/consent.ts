import type { JsonObject } from "../effects/json.ts"
import { isObject } from "../effects/json.ts"
import type { Policy } from "../policy/policy.ts"
import { settingOf } from "../policy/said.ts"
import type { Moment } from "./moment.ts"
import type { Overrides } from "./operation.ts"

/** The setting that stands behind the gate, and the name under which the gate asks. */
const GATE = "elicit.confirmDestructive"

/** Absent means destructive, as MCP says. */
const isDestructive = ({ readOnlyHint, destructiveHint }: JsonObject): boolean =>
  readOnlyHint !== true && destructiveHint !== false

/** What the operator says of tools, where the policy wants to be asked before destructive calls; else undefined. */
export function consentOf(policy: Policy): Overrides | undefined {
  if (!settingOf(policy, GATE)) return undefined
  const { servers } = policy
  return (server, tool) => {
    const said = Object.hasOwn(servers, server) ? servers[server]?.annotations : undefined
    return said && Object.hasOwn(said, tool) ? said[tool] : undefined
  }
}

/**
 * Questions a destructive call before it is sent, whoever caused it and whoever sends it, beside what hooks ask.
 *
 * INVARIANT: only the server's own word and the operator's count, and no way to ask is a refusal (test/engine/consent.test.ts).
 */
export async function wantConsent({ core, event, questions }: Moment): Promise<void> {
  const [server, tool] = [String(event.server), String(event.tool)]
  const own = event.annotations ?? (await core.ports.annotations?.(server, tool))
  if (!isDestructive({ ...(isObject(own) ? own : {}), ...core.consent?.(server, tool) })) return
  questions.push({ hook: GATE, question: `\`${server}/${tool}\` may destroy something: go on?` })
}

/** Whether the gate stands before what this moment lets through. */
export const gated = ({ core, op, phase, refusal, answered, retry }: Moment): boolean =>
  core.consent !== undefined && op.on === "call" && phase === "before" && !refusal && !answered && !retry
