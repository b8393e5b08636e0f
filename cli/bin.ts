#!/usr/bin/env node
/**
 * The command's first file, bundled to one of its own: what is common and small is answered here, all else by `main.ts`.
 *
 * Only this file's static imports are read at every start, so a package among them is paid for by every hook.
 */
import("./main.ts")
  .then(({ main }) => main(process.argv.slice(2)))
  .then((code) => {
    process.exitCode = code
  })
