/**
 * The door for tests of policies: golden cases as vitest tests, or run by hand.
 *
 * @module
 */
import { fileURLToPath } from "node:url"
import { createEngine } from "./actions/engine.ts"
import { runSuite as runSuiteWith, type SuiteOptions, type SuiteResult } from "./golden/suite.ts"
import { type RegisterTest, registerCases } from "./golden/vitest.ts"

export type { FrameDifference, MemberDifference } from "./golden/compare.ts"
export type { Coverage, Uncovered } from "./golden/coverage.ts"
export type { CaseOutcome, CaseResult } from "./golden/result.ts"
export { showCoverage, showResult } from "./golden/show.ts"

/** How a suite is run. */
export type GoldenOptions = Omit<SuiteOptions, "createEngine">
/** What a folder's cases came to. */
export type GoldenResult = SuiteResult

/**
 * Registers one test for each golden case under a folder: `goldenCases(new URL("./cases", import.meta.url))`.
 *
 * @param options `test`: what to register with; default vitest's
 * @throws Error where there is no such folder, or no case in it.
 */
export function goldenCases(dir: string | URL, { test }: { readonly test?: RegisterTest } = {}): void {
  registerCases(dir, createEngine, test)
}

/**
 * Runs the golden cases under a folder without a test runner.
 *
 * @throws Error where there is no such folder.
 */
export const runGolden = (dir: string | URL, options: GoldenOptions = {}): Promise<GoldenResult> =>
  runSuiteWith(typeof dir === "string" ? dir : fileURLToPath(dir), { createEngine, ...options })
