import type { JsonObject } from "../effects/json.ts"
import { PolicyError, showFinding } from "../policy/findings.ts"
import { parsePolicy } from "../policy/parse.ts"
import type { Hook, Policy } from "../policy/policy.ts"
import { switched } from "../policy/switch.ts"

/** Hooks of one call that are not taken, and why. */
export class CallHooksError extends Error {
  override readonly name = "CallHooksError"
  /** `scope`: they may be good, and this caller may not bring them */
  readonly code: "bad" | "scope"
  readonly hint?: string

  constructor(code: "bad" | "scope", message: string, hint?: string) {
    super(message)
    this.code = code
    if (hint !== undefined) this.hint = hint
  }
}

/**
 * The hooks that one call brings along: on `script` alone, without a floor, and only rules where the caller may not have
 * anything executed.
 *
 * @throws CallHooksError
 */
export function callHooks(
  given: readonly JsonObject[],
  { id, mayExec }: { readonly id: string; readonly mayExec: boolean },
): readonly Hook[] {
  const hooks = parsed(given)
  const elsewhere = hooks.find(({ on }) => on !== "script")
  if (elsewhere) {
    const message = `the hook \`${elsewhere.id}\` is on \`${elsewhere.on}\``
    throw new CallHooksError("bad", message, "hooks of one call are on `script` alone")
  }
  const acts = hooks.find(({ action }) => action.kind !== "rule")
  if (acts && !mayExec) {
    throw new CallHooksError("scope", `the caller \`${id}\` has no scope \`exec\`, which \`${acts.id}\` needs`)
  }
  return hooks
}

function parsed(hooks: readonly JsonObject[]): readonly Hook[] {
  try {
    const text = JSON.stringify({ version: 1, hooks })
    return parsePolicy(text, { file: "call.json", layer: "call", trusted: false }).hooks.filter((hook) => hook !== null)
  } catch (cause) {
    if (!(cause instanceof PolicyError)) throw cause
    throw new CallHooksError("bad", cause.findings.map(showFinding).join("\n"))
  }
}

/**
 * The policy in force with the hooks of one call, which follow all others and take none away.
 *
 * INVARIANT: they remove and outrank none of the operator's, and a switch that is off is off for them (test/mcp/exec.test.ts).
 */
export const withCallHooks = (policy: Policy, hooks: readonly Hook[]): Policy => ({
  ...switched({ ...policy, hooks: [...policy.hooks, ...hooks] }),
  needsRegex: true,
})
