import { spawnSync } from "node:child_process"
import { type Speaks, thinText as textOf } from "../../dialects/setup/thin.ts"
import type { Call } from "../command.ts"
import { CommandError } from "../errors.ts"
import type { Io } from "../io.ts"
import { socketOf } from "../socket.ts"
import { programOf } from "./wanted.ts"

/** The thin client for this machine. @throws CommandError with what only a Detent of one's own can do. */
export async function thinText(call: Call): Promise<string> {
  const { given, io } = call
  if (given.value("policy") !== undefined) {
    const hint = "the daemon's policy is in force: `detent serve --policy FILE`"
    throw new CommandError("`--thin` and `--policy` are both given", hint)
  }
  const speaks = spoken(io)
  const socket = await socketOf(call)
  return textOf({ socket, program: programOf(given), ...(speaks ? { speaks } : {}) })
}

/** The quickest of what is there; not every nc knows sockets. */
function spoken({ env }: Io): Speaks | undefined {
  const { stdout, stderr } = spawnSync("nc", ["-h"], { env, encoding: "utf8" })
  const [, letters = ""] = /\[-([\w]+)\]/.exec(`${stdout ?? ""}${stderr ?? ""}`) ?? []
  if (letters.includes("U")) return "nc"
  return spawnSync("curl", ["--version"], { env }).status === 0 ? "curl" : undefined
}
