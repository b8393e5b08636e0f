import { statSync } from "node:fs"
import { tmpdir } from "node:os"
import { resolve } from "node:path"
import type { Hook } from "../../policy/policy.ts"

/** The folder that a hook's relative programs and modules start at. */
export const baseOf = (hook: Hook, cwd: string): string => resolve(cwd, hook.base ?? ".")

/**
 * The folder that a hook runs in: its `cwd`, else the folder of its policy. One that is gone is named in a note and the
 * hook runs in the system's temporary folder: a refusal that does not depend on the folder must still refuse.
 */
export function folderOf(hook: Hook, cwd: string, notes: string[]): string {
  const base = baseOf(hook, cwd)
  const wanted = hook.cwd === undefined ? base : resolve(base, hook.cwd)
  if (isFolder(wanted)) return wanted
  const instead = tmpdir()
  notes.push(`the folder \`${wanted}\` does not exist; the program ran in \`${instead}\``)
  return instead
}

export const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
