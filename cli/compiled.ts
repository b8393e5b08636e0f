import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Script } from "node:vm"
import type { Io } from "./io.ts"

/** The bundle that answers what has to be answered quickly. */
export interface Quick {
  readonly quick: (words: readonly string[], io?: Io) => Promise<number>
}

/** How the bundle reads what is not in it. Compiled code has no `import()` of its own, so it is handed one. */
export interface Loaders {
  readonly require: NodeJS.Require
  /** of a name relative to the folder of the build */
  readonly import: (name: string) => Promise<unknown>
}

const BUNDLE = "quick.cjs"

/** V8's compiled code fits one build of Node on one kind of machine and nothing else, so its name says which. */
export const codeFile = (folder: string): string =>
  join(folder, `quick-${process.version}-${process.platform}-${process.arch}.v8`)

function codeIn(folder: string): Buffer | undefined {
  try {
    return readFileSync(codeFile(folder))
  } catch {
    return undefined
  }
}

/**
 * Compiles the bundle beside this program, from V8's own compiled code where the build left some for this Node: reading
 * a text of this size takes longer than all that a decision does. The code lies beside the text that it was made of and
 * is as trustworthy as that; where V8 does not know it as its own, it reads the text.
 */
export function compileQuick(
  folder: string,
  load: Loaders,
): { readonly script: Script; readonly quick: Quick["quick"] } {
  const filename = join(folder, BUNDLE)
  const text = readFileSync(filename, "utf8")
  const cachedData = codeIn(folder)
  const script = new Script(`(function (exports, require, __import, __filename, __dirname) {${text}\n})`, {
    filename,
    ...(cachedData ? { cachedData } : {}),
  })
  const exports: Partial<Quick> = {}
  const evaluate = script.runInThisContext() as (...given: unknown[]) => void
  evaluate(exports, load.require, load.import, filename, folder)
  return { script, quick: exports.quick! }
}
