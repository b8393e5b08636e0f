import { statSync } from "node:fs"
import { resolve } from "node:path"
import type { Call } from "../command.ts"
import { CommandError, fileError } from "../errors.ts"
import { runWith } from "./script.ts"

/** Runs a script file. */
export async function run(call: Call): Promise<number> {
  const [file = "", ...args] = call.args
  try {
    if (!statSync(resolve(call.io.cwd, file)).isFile()) throw new CommandError(`\`${file}\` is no file`)
  } catch (cause) {
    throw cause instanceof CommandError ? cause : fileError(file, cause)
  }
  return runWith(call, { file, args })
}
