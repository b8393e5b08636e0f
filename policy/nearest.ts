/**
 * The candidate that was probably meant by a mistyped word, for "did you mean" hints.
 *
 * Case is folded; the distance counts insertions, deletions, substitutions and swapped neighbours, and may be a third
 * of the longer word, at least one. Undefined where nothing is close. Ties go to the earlier candidate.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const folded = word.toLowerCase()
  let best: string | undefined
  let least = Number.POSITIVE_INFINITY
  for (const candidate of candidates) {
    const allowed = Math.max(1, Math.floor(Math.max(word.length, candidate.length) / 3))
    // the distance is at least the difference in length, so most candidates cost nothing
    if (Math.abs(word.length - candidate.length) > allowed) continue
    const distance = editDistance(folded, candidate.toLowerCase())
    if (distance <= allowed && distance < least) {
      best = candidate
      least = distance
    }
  }
  return best
}

/** Row by row; `older` is two rows up, for swapped neighbours. */
function editDistance(a: string, b: string): number {
  let older: number[] = []
  let above = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let cost = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, older[j - 2]! + 1)
      row.push(cost)
    }
    older = above
    above = row
  }
  return above[b.length]!
}
