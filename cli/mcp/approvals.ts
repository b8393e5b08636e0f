import { Approvals } from "../../daemon/approvals.ts"
import { toolOf } from "../../daemon/standing.ts"
import type { Engine } from "../../engine/engine.ts"
import type { Ports } from "../../engine/ports.ts"
import type { Servers } from "../../mcp/servers.ts"
import type { Policy } from "../../policy/policy.ts"
import { ceilingsHash, policyHash } from "../../store/binding.ts"
import { StoreError } from "../../store/errors.ts"
import { withState } from "../callers/state.ts"
import type { Call } from "../command.ts"
import { CommandError } from "../errors.ts"

/**
 * Puts the questions that a client cannot show where `detent approvals` finds them, for as long as `use` runs: in the store
 * that the daemon of this user has, whether one runs or not.
 *
 * @throws CommandError where nothing can be remembered.
 */
export async function withApprovals(
  call: Call,
  policy: Policy,
  { engine, servers }: { readonly engine: Engine; readonly servers: Servers },
  use: (ask: NonNullable<Ports["ask"]>) => Promise<void>,
): Promise<void> {
  const under = {
    policy,
    hashes: { policy: policyHash(policy), ceilings: ceilingsHash(policy) },
    definition: toolOf(policy, servers),
  }
  const tell = (id: string): void => call.io.err.line(`detent: a question waits for a person: detent approvals ${id}`)
  try {
    await withState(call, ({ approvals }) => {
      const kept = new Approvals(approvals, (type, about) => engine.publish(type, about))
      return use(kept.waiting(under, tell))
    })
  } catch (cause) {
    if (!(cause instanceof StoreError)) throw cause
    throw new CommandError(cause.message, cause.hint)
  }
}
