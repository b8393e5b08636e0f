import { createEngine, type NodeEngineOptions } from "../actions/engine.ts"
import type { Engine } from "../engine/engine.ts"
import { type Servers, type ServersOptions, serversOf } from "../mcp/servers.ts"
import type { Policy } from "../policy/policy.ts"
import { cassettesOf } from "./cassettes.ts"
import type { Call } from "./command.ts"
import { recordingOf } from "./recording.ts"
import { hookTeller } from "./told.ts"

/** What a command adds to the engine of the policy in force. */
export interface EngineChoice
  extends Pick<NodeEngineOptions, "ask" | "onObserved" | "publish" | "hooks">,
    ServersOptions {
  /** `never`: its decisions are a trial; `long`: it runs long enough to prune the record; absent: they are recorded */
  readonly record?: "never" | "long"
}

/**
 * An engine of a policy and its servers, for as long as `use` runs; then both end, with every process that they started.
 * `like` makes another one, of another policy over the same servers: who asks for it ends it.
 */
export async function withEngine<T>(
  call: Call,
  policy: Policy,
  { ask, onObserved, publish, hooks, record, ...choice }: EngineChoice,
  use: (engine: Engine, servers: Servers, like: (policy: Policy) => Promise<Engine>) => Promise<T>,
): Promise<T> {
  const { io } = call
  const recording = record === "never" ? undefined : await recordingOf(policy, io, record === "long")
  const servers = serversOf(policy, io, { teller: () => hookTeller(io), ...choice })
  const making = {
    env: io.env,
    cwd: io.cwd,
    ...cassettesOf(call),
    ...servers.ports,
    ...(ask ? { ask } : {}),
    ...(onObserved ? { onObserved } : {}),
    ...(publish ? { publish } : {}),
    ...(hooks ? { hooks } : {}),
  }
  const like = async (other: Policy): Promise<Engine> => {
    const bare = await createEngine({ ...making, policy: other })
    return recording?.of(bare, other) ?? bare
  }
  const engine = await like(policy)
  servers.standUnder(engine)
  try {
    return await use(engine, servers, like)
  } finally {
    await engine.close()
    await servers.close()
    await recording?.close()
  }
}
