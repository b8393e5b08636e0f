import type { Where } from "../settings/discover.ts"
import type { Layered } from "../settings/layers.ts"
import { loadPolicy } from "../settings/load.ts"
import type { Call } from "./command.ts"

/**
 * The policy in force for a call of a command; what is ignored or lowered in it is said on stderr.
 *
 * @param until when (ms, as `Date.now` counts) nobody waits for it any longer
 */
export async function policyOf(call: Call, until?: number): Promise<Layered> {
  const { given, io } = call
  const flags = given.settings
  const layered = await loadPolicy({ ...whereOf(call), flags, ...(until === undefined ? {} : { until }) })
  for (const notice of layered.notices) io.err.line(`detent: ${notice}`)
  return layered
}

/** Where the policy for a call of a command is looked for. */
export function whereOf({ given, io: { cwd, env } }: Call): Where {
  const policy = given.value("policy")
  return { cwd, env, ...(policy === undefined ? {} : { policy }) }
}
