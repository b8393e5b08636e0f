const HEADER = /^\*\*\* (?:Add File|Update File|Delete File|Move to): /

/**
 * The one file that a patch of the `*** Update File: …` kind touches; undefined where it touches none or several, since
 * one of several would stand for the others without being checked.
 */
export function singlePath(patch: string): string | undefined {
  const paths = new Set<string>()
  for (const line of patch.split("\n")) {
    const text = line.trim()
    const header = HEADER.exec(text)
    if (header) paths.add(text.slice(header[0].length).trim())
  }
  const [only] = paths
  return paths.size === 1 ? only : undefined
}
