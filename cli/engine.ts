import { createEngine, type NodeEngineOptions } from "../actions/engine.ts"
import type { Engine } from "../engine/engine.ts"
import { type Servers, type ServersOptions, serversOf } from "../mcp/servers.ts"
import type { Policy } from "../policy/policy.ts"
import { cassettesOf } from "./cassettes.ts"
import type { Call } from "./command.ts"
import { hookTeller } from "./told.ts"

/** What a command adds to the engine of the policy in force. */
export type EngineChoice = Pick<NodeEngineOptions, "ask" | "onObserved" | "hooks"> & ServersOptions

/** An engine of a policy and its servers, for as long as `use` runs; then both end, with every process that they started. */
export async function withEngine<T>(
  call: Call,
  policy: Policy,
  { ask, onObserved, hooks, ...choice }: EngineChoice,
  use: (engine: Engine, servers: Servers) => Promise<T>,
): Promise<T> {
  const { io } = call
  const servers = serversOf(policy, io, { teller: () => hookTeller(io), ...choice })
  const engine = await createEngine({
    policy,
    env: io.env,
    cwd: io.cwd,
    ...cassettesOf(call),
    ...servers.ports,
    ...(ask ? { ask } : {}),
    ...(onObserved ? { onObserved } : {}),
    ...(hooks ? { hooks } : {}),
  })
  servers.standUnder(engine)
  try {
    return await use(engine, servers)
  } finally {
    await engine.close()
    await servers.close()
  }
}
