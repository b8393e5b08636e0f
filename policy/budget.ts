import type { Allowance, Budget } from "./prompt.ts"

/** How much of something is allowed, and for how long it is counted. */
export const SPANS = Object.freeze(["run", "day"] as const)
export type Span = (typeof SPANS)[number]

/** What is counted. */
export const COUNTS = Object.freeze(["calls", "tokens", "cost"] as const)
export type Count = (typeof COUNTS)[number]

/** The lower of two budgets, number by number. */
export function tightest(a: Budget | undefined, b: Budget | undefined): Budget | undefined {
  if (!a || !b) return a ?? b
  const spans = SPANS.flatMap((span) => {
    const both = lower(a[span], b[span])
    return both ? [[span, both] as const] : []
  })
  return Object.fromEntries(spans)
}

function lower(a: Allowance | undefined, b: Allowance | undefined): Allowance | undefined {
  if (!a || !b) return a ?? b
  const counts = COUNTS.flatMap((count) => {
    const given = [a[count], b[count]].filter((value) => value !== undefined)
    return given.length > 0 ? [[count, Math.min(...given)] as const] : []
  })
  return Object.fromEntries(counts)
}
