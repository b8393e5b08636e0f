import { compileRegex } from "../../policy/match/regex.ts"

/** Whether a matcher leaves everything through: vix's two ways to write that. */
export const matchesAll = (matcher: string): boolean => matcher === "" || matcher === "*"

/**
 * A matcher of vix: a regex that is held against the whole field.
 *
 * @throws PatternError on one that cannot be read, and on one that needs the regex engine where none is registered.
 */
export const compileVixMatcher = (matcher: string): ((field: string) => boolean) =>
  matchesAll(matcher) ? () => true : compileRegex(matcher)
