import { compileGlob } from "../match/glob.ts"
import { oneOf, regexBody } from "../match/pattern.ts"
import { PatternError } from "../match/problem.ts"
import { compileRegex } from "../match/regex.ts"
import { ConditionError } from "./condition-error.ts"
import { type Build, evaluateAll, operandAt, tested } from "./node.ts"
import { compileFolder } from "./paths.ts"

type TextTest = (text: string) => boolean

/** A pattern that is computed may come from the event; a longer one is somebody trying something. */
const LONGEST_COMPUTED = 1000
/** How many computed patterns an operation remembers. */
const REMEMBERED = 64

/** The regex of `matches`, with or without slashes around it. */
export const regexOf = (pattern: string): string => regexBody(pattern) ?? pattern

/**
 * An operation that holds a text against a pattern. No text is false; what is neither is an error, and so is a pattern
 * that cannot be used, whatever the text.
 */
const textTest =
  (op: string, compilePattern: (pattern: unknown) => TextTest): Build =>
  (operands, compile) => {
    const text = operandAt(operands, 0, compile)
    const pattern = operandAt(operands, 1, compile)
    const read = text.read ?? text.run
    const testFor = pattern.constant ? once(() => compilePattern(pattern.constant!.value)) : remembered(compilePattern)
    const patternOf = pattern.run
    return tested((data) => {
      const value = read(data)
      const test = testFor(pattern.constant ? undefined : patternOf(data))
      if (typeof value === "string") return test(value)
      if (value === undefined || value === null) return false
      throw new ConditionError(
        `\`${op}\` needs a text, not ${nounOf(value)}`,
        "test with `!!` or turn it into a text with `cat`",
      )
    })
  }

/** Compiled when it is first asked for, so that the regex engine can be loaded after the policy. */
const once = (make: () => TextTest): (() => TextTest) => {
  let test: TextTest | undefined
  return () => (test ??= make())
}

const remembered = (make: (pattern: unknown) => TextTest): ((pattern: unknown) => TextTest) => {
  const known = new Map<string, TextTest>()
  return (pattern) => {
    if (lengthOf(pattern) > LONGEST_COMPUTED)
      throw new ConditionError(`a computed pattern may have ${LONGEST_COMPUTED} characters`)
    if (typeof pattern !== "string") return make(pattern)
    let test = known.get(pattern)
    if (!test) {
      test = make(pattern)
      if (known.size >= REMEMBERED) known.clear()
      known.set(pattern, test)
    }
    return test
  }
}

const lengthOf = (pattern: unknown): number =>
  typeof pattern === "string"
    ? pattern.length
    : Array.isArray(pattern)
      ? pattern.reduce<number>((sum, item) => sum + lengthOf(item), 0)
      : 0

const nounOf = (value: unknown): string =>
  Array.isArray(value) ? "a list" : typeof value === "object" ? "an object" : `a ${typeof value}`

const compileMatches = (pattern: unknown): TextTest => {
  if (typeof pattern !== "string") throw new ConditionError("the pattern of `matches` must be a text")
  try {
    return compileRegex(regexOf(pattern))
  } catch (error) {
    if (error instanceof PatternError) throw new ConditionError(error.message, error.hint)
    throw error
  }
}

/** One text or a list of texts, of which one has to fit. */
const oneOrMore =
  (op: string, compileOne: (text: string) => TextTest) =>
  (pattern: unknown): TextTest => {
    const texts: readonly unknown[] = Array.isArray(pattern) ? pattern : [pattern]
    return oneOf(
      texts.map((text) => {
        if (typeof text !== "string")
          throw new ConditionError(`the pattern of \`${op}\` must be a text or a list of texts`)
        return compileOne(text)
      }),
    )
  }

/** A negative length leaves so many characters off the end; what is no number is used as JavaScript uses it. */
function substr(source: unknown, start: unknown, length: unknown): string {
  const text = String(source)
  if (!((length as number) < 0)) return text.substr(start as number, length as number)
  const from = text.substr(start as number)
  return from.substr(0, from.length + (length as number))
}

const buildSubstr: Build = (operands, compile) => {
  const nodes = operands.map(compile)
  return {
    run(data) {
      const [source, start, length] = evaluateAll(nodes, data)
      return substr(source, start, length)
    },
  }
}

const buildCat: Build = (operands, compile) => {
  const nodes = operands.map(compile)
  return { run: (data) => evaluateAll(nodes, data).join("") }
}

export const TEXTS = Object.freeze({
  cat: buildCat,
  substr: buildSubstr,
  matches: textTest("matches", compileMatches),
  glob: textTest("glob", oneOrMore("glob", compileGlob)),
  under: textTest("under", oneOrMore("under", compileFolder)),
})
