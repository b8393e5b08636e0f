/** Milliseconds of each unit. */
const UNITS: Readonly<Record<string, number>> = Object.freeze({ ms: 1, s: 1000, m: 60_000, h: 3_600_000 })

const PART = /(\d+(?:\.\d+)?)(ms|s|m|h)/y

/** Milliseconds of a text such as `5s`, `1m30s`, `250ms`; undefined where it is none. */
export function readDuration(text: string): number | undefined {
  let total = 0
  let at = 0
  while (at < text.length) {
    PART.lastIndex = at
    const part = PART.exec(text)
    if (!part) return undefined
    total += Number(part[1]) * UNITS[part[2]!]!
    at = PART.lastIndex
  }
  return at === 0 ? undefined : Math.round(total)
}

/** A time as vix writes it: `12ms`, `1.25s`. */
export const showDuration = (ms: number): string =>
  ms < 1000 ? `${Math.max(0, Math.round(ms))}ms` : `${Number((ms / 1000).toFixed(2))}s`
