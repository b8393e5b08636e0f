import { isAbsolute, join, resolve } from "node:path"
import { ownFolder } from "../settings/folders.ts"
import type { Io } from "./io.ts"

/** The daemon's socket: the one that is named, else this user's own. */
export function socketOf(named: string | undefined, { cwd, env }: Io): string {
  if (named !== undefined) return resolve(cwd, named)
  const { XDG_RUNTIME_DIR: runtime } = env
  const folder = runtime !== undefined && isAbsolute(runtime) ? join(runtime, "detent") : ownFolder("state", env)
  return join(folder, "daemon.sock")
}
