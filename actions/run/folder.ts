import { accessSync, constants, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { resolve } from "node:path"
import type { Hook } from "../../policy/policy.ts"

/** The folder that a hook's relative programs and modules start at. */
export const baseOf = (hook: Hook, cwd: string): string => resolve(cwd, hook.base ?? ".")

/**
 * The folder that a hook runs in: its `cwd`, else the folder of its policy. One that is gone, or may not be entered, is
 * named in a note and the hook runs in the system's temporary folder: a refusal that does not depend on the folder must
 * still refuse.
 */
export function folderOf(hook: Hook, cwd: string, notes: string[]): string {
  const base = baseOf(hook, cwd)
  const wanted = hook.cwd === undefined ? base : resolve(base, hook.cwd)
  const problem = folderProblem(wanted)
  if (problem === undefined) return wanted
  notes.push(`${problem}; the program ran in the system's temporary folder`)
  return tmpdir()
}

/** Why no program can run in a folder, in a sentence that names it; undefined where one can. */
export function folderProblem(path: string): string | undefined {
  try {
    if (!statSync(path).isDirectory()) return `\`${path}\` is no folder`
    accessSync(path, constants.X_OK)
    return undefined
  } catch (cause) {
    const missing = (cause as NodeJS.ErrnoException).code === "ENOENT"
    return `the folder \`${path}\` ${missing ? "does not exist" : "cannot be entered"}`
  }
}
