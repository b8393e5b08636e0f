import { cacheKey, readCache, writeCache } from "./cache.ts"
import type { Sources } from "./compile.ts"
import { discover, type Where } from "./discover.ts"
import { type Flags, fromEnvironment, fromFlags, unreadVariables } from "./given.ts"
import type { Layered } from "./layers.ts"

export interface LoadOptions extends Where {
  /** settings given on the command line, by path */
  readonly flags?: Flags
  /** whether a compiled policy may be kept and found again; by default only in a built package */
  readonly cache?: boolean
}

const built = !import.meta.url.endsWith(".ts")

/**
 * The policy in force for a folder: system, user, project or named file, environment, flags, put together.
 *
 * Where the same sources have been compiled before, neither the schema library nor the YAML reader is loaded.
 *
 * @throws PolicyError with every finding of every source; a policy is never taken in part.
 */
export async function loadPolicy({ cache = built, ...options }: LoadOptions): Promise<Layered> {
  const { env } = options
  const sources = sourcesOf(options)
  const key = cache ? cacheKey(sources) : ""
  const layered = (cache ? readCache(key, env) : undefined) ?? (await compile(sources, cache ? key : undefined, env))
  return { ...layered, notices: [...unreadVariables(env), ...layered.notices] }
}

/** Everything that a policy is made of, as it is now. */
export const sourcesOf = ({ flags = {}, ...where }: Omit<LoadOptions, "cache">): Sources => ({
  files: discover(where),
  environment: fromEnvironment(where.env),
  flags: fromFlags(flags),
})

async function compile(sources: Sources, key: string | undefined, env: Where["env"]): Promise<Layered> {
  const { compileSources } = await import("./compile.ts")
  const compiled = compileSources(sources, env)
  if (key !== undefined) writeCache(key, compiled, env)
  return compiled.layered
}
