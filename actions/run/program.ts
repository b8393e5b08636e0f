import { accessSync, constants, statSync } from "node:fs"
import { delimiter, isAbsolute, resolve } from "node:path"

/** Milliseconds for which a found program is not looked up again. */
const FRESH_MS = 1000

const found = new Map<string, { readonly file: string; readonly at: number }>()

/** Where a program is, or why it cannot be started: a sentence of ours that names it. */
export type Program = { readonly file: string } | { readonly problem: string }

/**
 * Finds the program before the spawn, so that a missing one is told apart from a missing folder.
 *
 * @param name `argv[0]`: with a slash it starts at `base`, a bare name is looked up on `path`
 * @param path the child's own PATH; its relative entries start at `cwd`
 */
export function findProgram(name: string, base: string, path: string | undefined, cwd: string): Program {
  const key = `${name}\0${base}\0${path ?? ""}\0${cwd}`
  const known = found.get(key)
  const now = performance.now()
  if (known && now - known.at < FRESH_MS) return known
  const places = name.includes("/") ? [resolve(base, name)] : searchPlaces(name, path, cwd)
  let seen = false
  for (const file of places) {
    const state = stateOf(file)
    if (state === "runs") {
      if (found.size > 500) found.clear()
      found.set(key, { file, at: now })
      return { file }
    }
    if (state === "stands") seen = true
  }
  return { problem: seen ? `\`${name}\` is not executable` : `\`${name}\` was not found` }
}

/** What a failed start means for a program that the look-up found. */
export function startProblem(name: string, file: string, code: string): string {
  found.clear()
  if (code === "ENOENT") {
    return stateOf(file) === "absent"
      ? `\`${name}\` was not found`
      : `the interpreter that \`${name}\` names was not found`
  }
  return code === "EACCES" ? `\`${name}\` is not executable` : `\`${name}\` could not be started (${code})`
}

const searchPlaces = (name: string, path: string | undefined, cwd: string): string[] =>
  name === ""
    ? []
    : (path ?? "/usr/local/bin:/usr/bin:/bin")
        .split(delimiter)
        .map((folder) => (isAbsolute(folder) ? `${folder}/${name}` : resolve(cwd, folder, name)))

function stateOf(file: string): "runs" | "stands" | "absent" {
  try {
    if (!statSync(file).isFile()) return "stands"
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EACCES" ? "stands" : "absent"
  }
  try {
    accessSync(file, constants.X_OK)
    return "runs"
  } catch {
    return "stands"
  }
}
