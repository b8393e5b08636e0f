import { createEngine } from "../actions/engine.ts"
import type { JsonObject } from "../effects/json.ts"
import type { Engine } from "../engine/engine.ts"
import { PolicyError, showFinding } from "../policy/findings.ts"
import { parsePolicy } from "../policy/parse.ts"
import type { Hook } from "../policy/policy.ts"
import { switched } from "../policy/switch.ts"
import type { Caller } from "./callers.ts"
import { Problem } from "./problem.ts"
import type { Standing } from "./standing.ts"

/**
 * The hooks that one call brings along: on `script` alone, without a floor, and only rules where the caller may not have
 * anything executed.
 *
 * @throws Problem `bad-request` or `missing-scope`
 */
export function callHooks(given: readonly JsonObject[], { id, scopes }: Caller): readonly Hook[] {
  const hooks = parsed(given).filter((hook) => hook !== null)
  const elsewhere = hooks.find(({ on }) => on !== "script")
  if (elsewhere) {
    throw new Problem("bad-request", `the hook \`${elsewhere.id}\` is on \`${elsewhere.on}\``, {
      hint: "hooks of one call are on `script` alone",
    })
  }
  const acts = hooks.find(({ action }) => action.kind !== "rule")
  if (acts && !scopes.includes("exec")) {
    throw new Problem("missing-scope", `the caller \`${id}\` has no scope \`exec\`, which \`${acts.id}\` needs`)
  }
  return hooks
}

function parsed(hooks: readonly JsonObject[]) {
  try {
    return parsePolicy(JSON.stringify({ version: 1, hooks }), { file: "call.json", layer: "call", trusted: false })
      .hooks
  } catch (cause) {
    if (!(cause instanceof PolicyError)) throw cause
    throw new Problem("bad-request", cause.findings.map(showFinding).join("\n"))
  }
}

/** An engine of the policy in force and the hooks of one call, over the same servers. */
export async function engineWith(standing: Standing, hooks: readonly Hook[]): Promise<Engine> {
  const { policy, making } = standing
  // A switch that is off is off for hooks of one call, too.
  const all = switched({ ...policy, hooks: [...policy.hooks, ...hooks] })
  return createEngine({ ...making, policy: { ...all, needsRegex: true } })
}
