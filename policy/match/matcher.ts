import type { Matcher } from "../policy.ts"
import { compilePattern, isExact, oneOf, patternsOf, regexBody } from "./pattern.ts"
import { regexNeedsEngine } from "./regex.ts"

export { toolMatcher } from "./tool.ts"

/** A matcher, ready to be held against a value. */
export interface CompiledMatcher {
  /**
   * Whether the whole value fits. An absent value fits none but `**`, which is "anything, or nothing at all"; `*` wants
   * a value that is there.
   */
  test(value: string | undefined): boolean
  /** the names, where the matcher is nothing but exact names: for an index */
  readonly exact?: readonly string[]
}

/**
 * Compiles a matcher: an exact name, a glob, a `/regex/`, or a list of these, of which one has to fit. An empty list
 * fits nothing.
 *
 * @throws PatternError on an invalid regex, and on one that needs the engine where none is registered.
 */
export function compileMatcher(matcher: Matcher): CompiledMatcher {
  const patterns = patternsOf(matcher)
  if (patterns.every(isExact)) {
    const [only] = patterns
    if (patterns.length === 1) return { test: (value) => value === only, exact: patterns }
    const names = new Set<string | undefined>(patterns)
    return { test: (value) => names.has(value), exact: patterns }
  }
  const fits = oneOf(patterns.map(compilePattern))
  const absent = patterns.some((pattern) => /^\*\*+$/.test(pattern))
  return { test: (value) => (value === undefined ? absent : fits(value)) }
}

/** Whether a matcher holds a regex for which `re2.ts` has to be loaded. */
export const matcherNeedsEngine = (matcher: Matcher): boolean =>
  patternsOf(matcher).some((pattern) => {
    const body = regexBody(pattern)
    return body !== undefined && regexNeedsEngine(body)
  })
