import { COMMANDS } from "./commands.ts"
import { dispatch } from "./dispatch.ts"
import type { Io } from "./io.ts"
import { processIo } from "./process.ts"

/** Runs one command line; the answer is the exit code. Nothing is thrown: errors are told on stderr. */
export const main = (words: readonly string[], io: Io = processIo()): Promise<number> => dispatch(words, io, COMMANDS)
