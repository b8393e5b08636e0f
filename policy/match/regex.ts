import { PatternError } from "./problem.ts"
import { readSimple } from "./simple.ts"
import { compileWildcard } from "./wildcard.ts"

/** Compiles a regex that is held against the whole text, in linear time. Throws on one that it cannot read. */
export interface RegexEngine {
  compile(source: string): (text: string) => boolean
}

let engine: RegexEngine | undefined

/** Sets the engine for the regexes that need one; `re2.ts` does it. Evaluating an engine costs tens of milliseconds. */
export const registerRegexEngine = (chosen: RegexEngine): void => {
  engine = chosen
}

export const hasRegexEngine = (): boolean => engine !== undefined

/** Whether this regex is more than literals, `.*`, `.+` and `|`, so that `re2.ts` has to be loaded for it. */
export const regexNeedsEngine = (source: string): boolean => readSimple(source) === undefined

/**
 * Compiles a regex, without slashes, to a test of the whole text, in linear time.
 *
 * A dot is any character, a line break included: a rule about a command must not be escaped by adding a line.
 *
 * @throws PatternError on an invalid regex, and on one that needs the engine where none is registered.
 */
export function compileRegex(source: string): (text: string) => boolean {
  const simple = readSimple(source)
  if (simple === undefined) return compileWithEngine(source)
  const names = new Set<string>()
  const tests: ((text: string) => boolean)[] = []
  for (const wildcard of simple) {
    if (wildcard.pieces.length === 1) names.add(wildcard.pieces[0]!)
    else tests.push(compileWildcard(wildcard))
  }
  if (tests.length === 0) return (text) => names.has(text)
  if (tests.length === 1 && names.size === 0) return tests[0]!
  return (text) => names.has(text) || tests.some((test) => test(text))
}

function compileWithEngine(source: string): (text: string) => boolean {
  if (engine === undefined) {
    throw new PatternError(
      `the pattern \`${source}\` needs the regex engine, which is not loaded`,
      "import `policy/match/re2.ts` before compiling the policy",
    )
  }
  try {
    return engine.compile(source)
  } catch (error) {
    const why = error instanceof Error ? `: ${error.message.replace(/^error parsing regexp: /, "")}` : ""
    throw new PatternError(`the pattern \`${source}\` is not a valid regex${why}`, hintFor(source))
  }
}

const hintFor = (source: string): string =>
  /\(\?<?[=!]|\\[1-9]|\(\?P=|\\k</.test(source)
    ? "the syntax is RE2's, which runs in linear time: there are no backreferences and no lookaround"
    : "the syntax is RE2's; put a backslash before a character that is meant literally"
