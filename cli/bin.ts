#!/usr/bin/env node
/**
 * The command's first file, bundled to one of its own, CommonJS, which Node starts quickest: `decide` and `hook` are
 * answered by the quick bundle beside it, all else is read by `main.ts`.
 */
import { compileQuick } from "./compiled.ts"

const words = process.argv.slice(2)
const code =
  words[0] === "decide" || words[0] === "hook"
    ? compileQuick(__dirname, { require, import: (name) => import(name) }).quick(words)
    : import("./main.ts").then(({ main }) => main(words))

code.then((exitCode) => {
  process.exitCode = exitCode
})
