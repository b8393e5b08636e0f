#!/usr/bin/env node
/**
 * The command's first file, bundled to one of its own. `decide` starts for every tool call of an agent and is answered
 * from here; all else is read by `main.ts`.
 *
 * Only this file's static imports are read at every start, so a package among them is paid for by every hook.
 */
import { COMMANDS } from "./commands.ts"
import { run as decide } from "./decide.ts"
import { dispatch } from "./dispatch.ts"
import { processIo } from "./process.ts"

const words = process.argv.slice(2)
const code =
  words[0] === "decide"
    ? dispatch(words, processIo(), COMMANDS, { run: decide })
    : import("./main.ts").then(({ main }) => main(words))

code.then((exitCode) => {
  process.exitCode = exitCode
})
