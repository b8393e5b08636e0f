import type { Layered } from "../settings/layers.ts"
import { loadPolicy } from "../settings/load.ts"
import type { Call } from "./command.ts"

/** The policy in force for a call of a command; what is ignored or lowered in it is said on stderr. */
export async function policyOf({ given, io }: Call): Promise<Layered> {
  const policy = given.value("policy")
  const layered = await loadPolicy({
    cwd: io.cwd,
    env: io.env,
    flags: given.settings,
    ...(policy === undefined ? {} : { policy }),
  })
  for (const notice of layered.notices) io.err.line(`detent: ${notice}`)
  return layered
}
