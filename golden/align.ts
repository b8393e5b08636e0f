/** A line of one side, of the other, or of both. */
export interface Pair<T> {
  readonly expected?: T
  readonly got?: T
}

/**
 * Pairs two sequences up: what has the same label is paired in order, so that one frame more or less does not make
 * everything after it differ. The longest common subsequence of the labels.
 */
export function align<T>(expected: readonly T[], got: readonly T[], label: (item: T) => string): Pair<T>[] {
  const left = expected.map(label)
  const right = got.map(label)
  const longest = lengths(left, right)
  const pairs: Pair<T>[] = []
  let i = 0
  let j = 0
  while (i < left.length || j < right.length) {
    if (i < left.length && j < right.length && left[i] === right[j]) {
      pairs.push({ expected: expected[i++]!, got: got[j++]! })
    } else if (j >= right.length || (i < left.length && longest[i + 1]![j]! >= longest[i]![j + 1]!)) {
      pairs.push({ expected: expected[i++]! })
    } else pairs.push({ got: got[j++]! })
  }
  return pairs
}

/** For each pair of places, how much of what follows the two sides share. */
function lengths(left: readonly string[], right: readonly string[]): number[][] {
  const table = Array.from({ length: left.length + 1 }, () => new Array<number>(right.length + 1).fill(0))
  for (let i = left.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      const same = left[i] === right[j]
      table[i]![j] = same ? table[i + 1]![j + 1]! + 1 : Math.max(table[i + 1]![j]!, table[i]![j + 1]!)
    }
  }
  return table
}
