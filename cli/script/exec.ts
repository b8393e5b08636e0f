import type { Call } from "../command.ts"
import { runWith } from "./script.ts"

/** Runs code given on the command line: the body of an async function. */
export async function run(call: Call): Promise<number> {
  const [code = "", ...args] = call.args
  return runWith(call, { code, args })
}
