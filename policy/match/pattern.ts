import type { Matcher } from "../policy.ts"
import { compileGlob } from "./glob.ts"
import { compileRegex } from "./regex.ts"

/** The texts of a matcher, which is one text or a list. */
export const patternsOf = (matcher: Matcher): readonly string[] => (typeof matcher === "string" ? [matcher] : matcher)

/** The body of a `/regex/`; undefined for a name or a glob. A single slash is a name. */
export const regexBody = (pattern: string): string | undefined =>
  pattern.length > 1 && pattern.startsWith("/") && pattern.endsWith("/") ? pattern.slice(1, -1) : undefined

/** Whether a pattern is neither a `/regex/` nor a glob. */
export const isExact = (pattern: string): boolean => !pattern.includes("*") && regexBody(pattern) === undefined

/**
 * Compiles one text: an exact name, a glob, or a `/regex/` held against the whole.
 *
 * @throws PatternError on an invalid regex.
 */
export function compilePattern(pattern: string): (text: string) => boolean {
  const body = regexBody(pattern)
  return body === undefined ? compileGlob(pattern) : compileRegex(body)
}

/** A test that holds where one of these does. */
export const oneOf = (tests: readonly ((text: string) => boolean)[]): ((text: string) => boolean) => {
  const [first] = tests
  return first !== undefined && tests.length === 1 ? first : (text) => tests.some((test) => test(text))
}
