import { statSync } from "node:fs"

/** What shows of each file whether it is still the same: it, its place on the disk, its size and times; absent: `gone`. */
export type Signs = ReadonlyMap<string, string>

const GONE = "gone"

function signOf(path: string): string {
  try {
    const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
    return stat ? [stat.dev, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join(" ") : GONE
  } catch (cause) {
    const { code = "unknown" } = cause as NodeJS.ErrnoException
    return code === "ENOTDIR" ? GONE : code
  }
}

export const signsOf = (paths: readonly string[]): Signs => new Map(paths.map((path) => [path, signOf(path)]))

export const sameSigns = (a: Signs, b: Signs): boolean =>
  a.size === b.size && [...a].every(([path, sign]) => b.get(path) === sign)

/** Whether a file that was there is not any more. */
export const someGone = (before: Signs, now: Signs): boolean =>
  [...now].some(([path, sign]) => sign === GONE && (before.get(path) ?? GONE) !== GONE)
