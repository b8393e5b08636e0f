import { type Policy, showOrigin } from "../policy/policy.ts"
import { switchedOff } from "../policy/switch.ts"
import type { Recorder } from "../store/audit/recorder.ts"
import { policyHash } from "../store/binding.ts"
import { StoreError } from "../store/errors.ts"

/**
 * Writes down that hooks are switched off, or on again, with what said so and which stay.
 *
 * @throws StoreError where that cannot be written and has to be: the switch does not hold then.
 */
export async function recordSwitch(recorder: Recorder, policy: Policy, before?: Policy): Promise<void> {
  const off = switchedOff(policy)
  if (Boolean(off) === Boolean(before && switchedOff(before))) return
  const kept = policy.hooks.flatMap((hook) => (hook?.enabled ? [hook.id] : []))
  const written = await recorder.allows({
    caller: { id: "operator" },
    on: "features.hooks",
    input: { value: off === undefined, kept, ...(off ? { by: showOrigin(off) } : {}) },
    outcome: "continue",
    hashes: { policy: policyHash(policy) },
  })
  if (written) return
  throw new StoreError(
    "hooks cannot be switched: that could not be written to the audit record",
    "mend the record first; the daemon's log says what is wrong with it",
  )
}
