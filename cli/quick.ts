import { COMMANDS } from "./commands.ts"
import { run } from "./decide.ts"
import { dispatch } from "./dispatch.ts"
import type { Io } from "./io.ts"
import { processIo } from "./process.ts"

/**
 * `decide`, with all that it needs in one bundle. It starts for every tool call of an agent: what this file imports is
 * what an agent waits for.
 */
export const quick = (words: readonly string[], io: Io = processIo()): Promise<number> =>
  dispatch(words, io, COMMANDS, { run })
