import { createEngine, type NodeEngineOptions } from "../actions/engine.ts"
import type { Engine } from "../engine/engine.ts"
import { type Servers, type ServersOptions, serversOf } from "../mcp/servers.ts"
import type { Policy } from "../policy/policy.ts"
import { cassettesOf } from "./cassettes.ts"
import type { Call } from "./command.ts"
import { hookTeller } from "./told.ts"

/** What a command adds to the engine of the policy in force. */
export type EngineChoice = Pick<NodeEngineOptions, "ask" | "onObserved" | "hooks"> & ServersOptions

/**
 * An engine of a policy and its servers, for as long as `use` runs; then both end, with every process that they started.
 * `like` makes another one, of another policy over the same servers: who asks for it ends it.
 */
export async function withEngine<T>(
  call: Call,
  policy: Policy,
  { ask, onObserved, hooks, ...choice }: EngineChoice,
  use: (engine: Engine, servers: Servers, like: (policy: Policy) => Promise<Engine>) => Promise<T>,
): Promise<T> {
  const { io } = call
  const servers = serversOf(policy, io, { teller: () => hookTeller(io), ...choice })
  const making = {
    env: io.env,
    cwd: io.cwd,
    ...cassettesOf(call),
    ...servers.ports,
    ...(ask ? { ask } : {}),
    ...(onObserved ? { onObserved } : {}),
    ...(hooks ? { hooks } : {}),
  }
  const like = (other: Policy): Promise<Engine> => createEngine({ ...making, policy: other })
  const engine = await like(policy)
  servers.standUnder(engine)
  try {
    return await use(engine, servers, like)
  } finally {
    await engine.close()
    await servers.close()
  }
}
