/** The longest time that a timer can wait, about 24 days: a longer one would end at once. */
const LONGEST_MS = 2 ** 31 - 1

/** Calls `fn` after `ms` milliseconds, or after the longest time that a timer can wait. */
export const after = (ms: number, fn: () => void): NodeJS.Timeout => setTimeout(fn, Math.min(ms, LONGEST_MS))
