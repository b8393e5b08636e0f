import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { dirname, isAbsolute, join, resolve } from "node:path"
import type { SetupRow } from "../../dialects/setup/places.ts"
import { homeOf, ownFolder } from "../../settings/folders.ts"
import { CommandError, fileError } from "../errors.ts"
import type { Io } from "../io.ts"

/** The folder of the project that one stands in: of its repository, else this one. */
export function projectFolder({ cwd }: Pick<Io, "cwd">): string {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return folder
    if (dirname(folder) === folder) return cwd
  }
}

/** Where an agent's hooks are configured. */
export function fileOf(
  { project, user }: Pick<SetupRow, "project" | "user">,
  scope: "project" | "user",
  io: Io,
): string {
  if (scope === "project") return join(projectFolder(io), project)
  const own = user.variable === undefined ? undefined : io.env[user.variable]
  return join(own !== undefined && isAbsolute(own) ? own : join(homeOf(io.env), user.folder), user.file)
}

/** Where the thin client stands: one of each user's. */
export const thinFile = ({ env }: Pick<Io, "env">): string => join(ownFolder("state", env), "hook.sh")

/** Whether a command line starts it. */
export const isThin = (command: string): boolean => command.includes("/hook.sh hook ")

/** A file's text; undefined where there is none. */
export function textIn(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8")
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined
    throw fileError(path, cause)
  }
}

/** Puts a text in a file's place, at once and with the file's own mode; a link stays one. Undefined takes the file away. */
export function replaceFile(path: string, text: string | undefined): void {
  try {
    if (text === undefined) {
      rmSync(path)
      return
    }
    mkdirSync(dirname(path), { recursive: true })
    const there = existsSync(path)
    const target = there ? realpathSync(path) : path
    const beside = `${target}.${process.pid}.detent`
    writeFileSync(beside, text, there ? { mode: statSync(target).mode & 0o777 } : {})
    renameSync(beside, target)
  } catch (cause) {
    throw new CommandError(`\`${path}\` cannot be written: ${(cause as Error).message}`)
  }
}
