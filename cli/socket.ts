import { isAbsolute, join, resolve } from "node:path"
import { PolicyError } from "../policy/findings.ts"
import { settingOf } from "../policy/said.ts"
import { ownFolder } from "../settings/folders.ts"
import { loadPolicy } from "../settings/load.ts"
import type { Call } from "./command.ts"
import type { Io } from "./io.ts"

/** The socket of this user's daemon, where nothing says another. */
export function ownSocket({ env }: Pick<Io, "env">): string {
  const { XDG_RUNTIME_DIR: runtime } = env
  const folder = runtime !== undefined && isAbsolute(runtime) ? join(runtime, "detent") : ownFolder("state", env)
  return join(folder, "daemon.sock")
}

/** Where the daemon is looked for: the socket that is named, else the setting `serve.socket`, else this user's own. */
export async function socketOf({ given, io }: Pick<Call, "given" | "io">): Promise<string> {
  const named = given.value("socket") ?? (await saidSocket(io))
  return named === undefined ? ownSocket(io) : resolve(io.cwd, named)
}

/** A daemon outlives a policy that became bad, and can be asked all the same. */
async function saidSocket(io: Io): Promise<string | undefined> {
  try {
    return settingOf((await loadPolicy(io)).policy, "serve.socket")
  } catch (cause) {
    if (!(cause instanceof PolicyError)) throw cause
    io.err.line(
      "detent: the policy is bad (see `detent check`), so `serve.socket` is not known; looking at your own socket",
    )
    return undefined
  }
}
