import type { Finding } from "../policy/findings.ts"
import type { Case } from "./case.ts"
import type { FrameDifference } from "./compare.ts"
import type { CaseRun } from "./run.ts"

/** How a case can end. */
export const OUTCOMES = Object.freeze({
  passed: "what came out is the golden, byte for byte",
  failed: "it differs from its golden, or has none",
  broken: "it could not be read, or could not be run",
  updated: "its golden was written",
} as const)
export type CaseOutcome = keyof typeof OUTCOMES

interface Told {
  /** the file's name without its ending, from the folder that was asked for */
  readonly name: string
  /** absolute */
  readonly file: string
  /** milliseconds */
  readonly durationMs: number
}

export type CaseResult = Told &
  (
    | { readonly outcome: "passed" }
    | { readonly outcome: "failed"; readonly missing: boolean; readonly differences: readonly FrameDifference[] }
    | { readonly outcome: "broken"; readonly findings: readonly Finding[] }
    | { readonly outcome: "updated" }
  )

/** A case that has run, for coverage. */
export interface Ran {
  readonly one: Case
  readonly run: CaseRun
}
