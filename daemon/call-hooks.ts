import { CallHooksError, callHooks as read, withCallHooks } from "../actions/call-hooks.ts"
import { createEngine } from "../actions/engine.ts"
import type { JsonObject } from "../effects/json.ts"
import type { Engine } from "../engine/engine.ts"
import type { Hook } from "../policy/policy.ts"
import type { Caller } from "./callers.ts"
import { Problem } from "./problem.ts"
import type { Standing } from "./standing.ts"

/**
 * The hooks that one call brings along.
 *
 * @throws Problem `bad-request` or `missing-scope`
 */
export function callHooks(given: readonly JsonObject[], { id, scopes }: Caller): readonly Hook[] {
  try {
    return read(given, { id, mayExec: scopes.includes("exec") })
  } catch (cause) {
    if (!(cause instanceof CallHooksError)) throw cause
    const { code, message, hint } = cause
    throw new Problem(code === "scope" ? "missing-scope" : "bad-request", message, hint === undefined ? {} : { hint })
  }
}

/** An engine of the policy in force and the hooks of one call, over the same servers. */
export const engineWith = ({ policy, making }: Standing, hooks: readonly Hook[]): Promise<Engine> =>
  createEngine({ ...making, policy: withCallHooks(policy, hooks) })
