import { COMMANDS } from "./commands.ts"
import { run as decide } from "./decide.ts"
import { dispatch } from "./dispatch.ts"
import { run as hook } from "./hook.ts"
import type { Io } from "./io.ts"
import { processIo } from "./process.ts"

/**
 * `decide` and `hook`, with all that they need in one bundle. They start for every tool call of an agent: what this file
 * imports is what an agent waits for.
 */
export const quick = (words: readonly string[], io: Io = processIo()): Promise<number> =>
  dispatch(words, io, COMMANDS, { decide: { run: decide }, hook: { run: hook } })
