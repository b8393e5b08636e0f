import { compileLayers } from "./compile.ts"
import { unreadVariables } from "./given.ts"
import type { Layered } from "./layers.ts"
import { type LoadOptions, sourcesOf } from "./load.ts"
import type { Reported } from "./report/report.ts"

/**
 * The policy in force for a folder with the layers that it is made of, which tell where each value is from. Never from
 * the cache, which keeps what came of them alone.
 *
 * @throws PolicyError with every finding of every source.
 */
export function loadLayers(options: Omit<LoadOptions, "cache">): Layered & Reported {
  const { env } = options
  const { layered, layers } = compileLayers(sourcesOf(options), env)
  return { layers, policy: layered.policy, notices: [...unreadVariables(env), ...layered.notices] }
}
