/**
 * Literal pieces with gaps between them: `.*` and `.+` of a regex, where a dot is any character.
 *
 * `pieces` has one member more than `atLeast`; `atLeast[i]` is how many characters the gap after `pieces[i]` needs.
 */
export interface Wildcard {
  readonly pieces: readonly string[]
  readonly atLeast: readonly (0 | 1)[]
}

/** A test of the whole text. The leftmost place for each piece is always a right one, so it never goes back. */
export function compileWildcard({ pieces, atLeast }: Wildcard): (text: string) => boolean {
  const first = pieces[0]!
  if (pieces.length === 1) return (text) => text === first
  const last = pieces[pieces.length - 1]!
  const lastGap = atLeast[atLeast.length - 1]!
  if (pieces.length === 2) {
    const shortest = first.length + lastGap + last.length
    if (last === "") return (text) => text.length >= shortest && text.startsWith(first)
    return (text) => text.length >= shortest && text.startsWith(first) && text.endsWith(last)
  }
  return (text) => {
    if (!text.startsWith(first)) return false
    let at = first.length
    for (let i = 1; i < pieces.length - 1; i++) {
      const from = at + atLeast[i - 1]!
      const found = text.indexOf(pieces[i]!, from)
      // past the end, an empty piece is found at the end
      if (found < from) return false
      at = found + pieces[i]!.length
    }
    return text.length - last.length >= at + lastGap && text.endsWith(last)
  }
}
