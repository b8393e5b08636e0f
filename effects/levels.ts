/** The autonomy dial: six levels, least to most. Each permits everything below it. */
export const LEVELS = Object.freeze({
  off: { rank: 0, may: "nothing: the caller gets exactly what it would have had without the hook" },
  advise: { rank: 1, may: "attach text or diagnostics to the result, the error or the decision" },
  ask: { rank: 2, may: "stop the operation: raise a question (unanswered refuses), or refuse with a reason" },
  propose: { rank: 3, may: "return a replacement beside the original, unapplied" },
  apply: { rank: 4, may: "replace the value, with the original kept visible" },
  run: { rank: 5, may: "execute code or an operation that the caller did not send, within the hook's own `may`" },
} as const)

export type Level = keyof typeof LEVELS

/** The levels in order, least first. */
export const LEVEL_NAMES = Object.freeze(Object.keys(LEVELS)) as readonly Level[]

export const rank = (level: Level): number => LEVELS[level].rank

export const isLevel = (value: unknown): value is Level => typeof value === "string" && Object.hasOwn(LEVELS, value)

/** The lowest of the given levels. */
export const lowest = (...levels: readonly Level[]): Level => {
  let low: Level = "run"
  for (const level of levels) if (rank(level) < rank(low)) low = level
  return low
}

/** The highest of the given levels. */
export const highest = (...levels: readonly Level[]): Level => {
  let high: Level = "off"
  for (const level of levels) if (rank(level) > rank(high)) high = level
  return high
}

/** Whether `have` permits what `need` asks for. */
export const reaches = (have: Level, need: Level): boolean => rank(have) >= rank(need)
