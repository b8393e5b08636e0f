import { createRequire } from "node:module"
import { pathToFileURL } from "node:url"

/** One of our own files that starts a process or a thread, and the loader that it needs. */
export interface Entry {
  readonly file: URL
  /** the folder of the TypeScript loader; absent in a build, where the files are JavaScript */
  readonly loader?: URL
}

/**
 * The entry file `name` (no extension, relative to `from`), as it stands beside the module that asks: `.ts` when that
 * one runs from source, `.js` in a build, which mirrors the source tree.
 */
export function entryOf(name: string, from: string): Entry {
  if (!from.endsWith(".ts")) return { file: new URL(`${name}.js`, from) }
  const loader = new URL("./", pathToFileURL(createRequire(from).resolve("tsx/package.json")))
  return { file: new URL(`${name}.ts`, from), loader }
}
