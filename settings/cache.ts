import { readdirSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { isObject } from "../effects/json.ts"
import type { Compiled, Sources } from "./compile.ts"
import { fingerprint } from "./fingerprint.ts"
import { type Environment, ownFolder } from "./folders.ts"
import type { Layered } from "./layers.ts"
import { ensurePrivateFolder, isPrivateFolder, readPrivateFile, writePrivateFile } from "./private.ts"
import { type ReadFile, unchanged } from "./reads.ts"
import { VERSION } from "./version.ts"

/** How many compiled policies are kept; the oldest go first. */
const KEPT = 32

/** When this very build was made: a build of the same version that reads differently must not find the old entries. */
function buildStamp(): number {
  try {
    return statSync(fileURLToPath(import.meta.url)).mtimeMs
  } catch {
    return 0
  }
}

/**
 * What a compiled policy depends on, word for word: the version, every file's name, trust and content, and what
 * environment and flags say. An entry holds its key and is good for no other; so no hash has to be beyond doubt, and
 * the module for those, which takes longer to load than all else here, is not needed.
 */
export function cacheKey({ files, environment, flags }: Sources): string {
  const ofFiles = files.map(({ layer, path, shown, trusted, found, content }) => [
    layer,
    found,
    path,
    shown,
    trusted,
    content.toString("latin1"),
  ])
  return JSON.stringify([VERSION, buildStamp(), ofFiles, environment, flags])
}

const entryName = (key: string): string => `policy-${fingerprint(key)}.json`

/**
 * A compiled policy, if there is a whole one under this key in a folder that is this user's alone. Plain data; nothing
 * of it is run. An entry that is damaged counts as absent, and so does one of which a file that it read is another now.
 */
export function readCache(key: string, env: Environment): Layered | undefined {
  const folder = ownFolder("cache", env)
  const text = isPrivateFolder(folder) ? readPrivateFile(join(folder, entryName(key))) : undefined
  if (text === undefined) return undefined
  const end = text.indexOf("\n")
  const body = text.slice(end + 1)
  if (text.slice(0, Math.max(end, 0)) !== fingerprint(body)) return undefined
  try {
    const entry: unknown = JSON.parse(body)
    if (!isObject(entry) || entry.key !== key || !isCurrent(entry.reads as readonly ReadFile[], env)) return undefined
    return entry.layered as Layered
  } catch {
    return undefined
  }
}

const isCurrent = (reads: readonly ReadFile[], env: Environment): boolean => reads.every((read) => unchanged(read, env))

/** Keeps a compiled policy. A folder that cannot be made, or is not private, means no cache and no error. */
export function writeCache(key: string, { layered, reads }: Compiled, env: Environment): void {
  const folder = ownFolder("cache", env)
  if (!ensurePrivateFolder(folder)) return
  const body = JSON.stringify({ key, layered, reads })
  try {
    writePrivateFile(join(folder, entryName(key)), `${fingerprint(body)}\n${body}`)
    dropOldest(folder)
  } catch {
    // A full or read-only disk costs time at the next start and nothing else.
  }
}

function dropOldest(folder: string): void {
  const entries = readdirSync(folder).filter((name) => /^policy-[0-9a-f]{16}\.json$/.test(name))
  if (entries.length <= KEPT) return
  const aged = entries.map((name) => ({ path: join(folder, name), age: statSync(join(folder, name)).mtimeMs }))
  for (const { path } of aged.sort((a, b) => b.age - a.age).slice(KEPT)) rmSync(path, { force: true })
}
