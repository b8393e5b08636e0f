import { PolicyError, showFinding } from "../../policy/findings.ts"
import { type ParseOptions, parsePolicy } from "../../policy/parse.ts"

/** A policy's text and every finding in it, as the command line prints it. */
export interface FindingCase {
  readonly text: string
  readonly options?: ParseOptions
  readonly found: readonly string[]
}

/** All findings of a text, errors or not. */
export function findIn({ text, options }: Omit<FindingCase, "found">): string[] {
  try {
    return parsePolicy(text, { file: "p.yaml", ...options }).warnings.map(showFinding)
  } catch (cause) {
    if (cause instanceof PolicyError) return cause.findings.map(showFinding)
    throw cause
  }
}
