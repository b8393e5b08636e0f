import { readlinkSync } from "node:fs"
import { homedir, userInfo } from "node:os"
import { isAbsolute, join } from "node:path"

/** The environment that a caller hands over: `process.env`, or less. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The folders of the XDG base directory rules: the variable, and where it points by default. */
const XDG = Object.freeze({
  config: { variable: "XDG_CONFIG_HOME", fallback: ".config" },
  state: { variable: "XDG_STATE_HOME", fallback: ".local/state" },
  cache: { variable: "XDG_CACHE_HOME", fallback: ".cache" },
} as const)

/** Our own folder of a kind. A variable that is empty or relative counts as absent, as the XDG rules say. */
export function ownFolder(kind: keyof typeof XDG, env: Environment): string {
  const { variable, fallback } = XDG[kind]
  const given = env[variable]
  const root = given !== undefined && isAbsolute(given) ? given : join(homeOf(env), fallback)
  return join(root, "detent")
}

/** A relative HOME would be another folder wherever one stands, so that it counts as absent, too. */
export function homeOf({ HOME }: Environment): string {
  if (HOME !== undefined && isAbsolute(HOME)) return HOME
  try {
    const home = homedir()
    return isAbsolute(home) ? home : userInfo().homedir
  } catch {
    // A user whom the system does not know, as in a container that runs under a number: its home is where Docker puts it.
    return "/"
  }
}

/** The process's working folder; where that was removed under the process, its name: what stands above it still counts. */
export function workingFolder(): string {
  try {
    return process.cwd()
  } catch {
    return removedFolder()
  }
}

/** The name that a working folder had which is not there any more; the root, where the system does not tell. */
export function removedFolder(): string {
  try {
    return readlinkSync("/proc/self/cwd").replace(/ \(deleted\)$/, "")
  } catch {
    return "/"
  }
}
