/** A path taken apart: where it starts, and its names once `.`, `..` and doubled slashes are resolved. */
interface Resolved {
  readonly absolute: boolean
  readonly names: readonly string[]
}

/**
 * Resolves a path by its text alone; no disk is asked and no link followed. `..` at the root stays at the root. A
 * backslash is a character like any other.
 *
 * @returns undefined for a relative path that climbs above its start, which could be anywhere
 */
export function resolvePath(path: string): Resolved | undefined {
  const absolute = path.startsWith("/")
  const names: string[] = []
  for (const name of path.split("/")) {
    if (name === "" || name === ".") continue
    if (name !== "..") names.push(name)
    else if (names.length > 0) names.pop()
    else if (!absolute) return undefined
  }
  return { absolute, names }
}

/**
 * Compiles a folder to a test of paths: whether a path is that folder or inside it. A relative path is never under an absolute
 * folder, nor the other way round, and nothing is under a folder that climbs above its start.
 */
export function compileFolder(folder: string): (path: string) => boolean {
  const outer = resolvePath(folder)
  if (outer === undefined) return () => false
  return (path) => {
    const inner = resolvePath(path)
    return (
      inner !== undefined &&
      inner.absolute === outer.absolute &&
      outer.names.every((name, i) => name === inner.names[i])
    )
  }
}
