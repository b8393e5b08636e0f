import { cacheKey, readCache, writeCache } from "./cache.ts"
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
export async function loadPolicy({ flags = {}, cache = built, ...where }: LoadOptions): Promise<Layered> {
  const { env } = where
  const sources = { files: discover(where), environment: fromEnvironment(env), flags: fromFlags(flags) }
  const key = cache ? cacheKey(sources) : ""
  const layered = (cache ? readCache(key, env) : undefined) ?? (await compile(sources, cache ? key : undefined, env))
  return { ...layered, notices: [...unreadVariables(env), ...layered.notices] }
}

async function compile(
  sources: Parameters<typeof cacheKey>[0],
  key: string | undefined,
  env: Where["env"],
): Promise<Layered> {
  const { compileSources } = await import("./compile.ts")
  const compiled = compileSources(sources, env)
  if (key !== undefined) writeCache(key, compiled, env)
  return compiled.layered
}
