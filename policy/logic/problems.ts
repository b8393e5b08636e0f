import { PatternError } from "../match/problem.ts"
import { compileRegex, hasRegexEngine, regexNeedsEngine } from "../match/regex.ts"
import { nearest } from "../nearest.ts"
import { isOperation, OPERATION_NAMES } from "./operations.ts"
import { readOperation } from "./shape.ts"
import { regexOf } from "./texts.ts"
import { operandPath, type RulePath, type Visited, walkRule } from "./walk.ts"

/** Something wrong in a condition: where, what, and how to mend it. */
export interface LogicProblem {
  /** the keys and indexes from the rule's root */
  readonly path: (string | number)[]
  readonly message: string
  readonly hint?: string
}

/** Operations that people know from elsewhere, and what to write here. */
const FOREIGN: Readonly<Record<string, string>> = Object.freeze({
  method: "no operation calls anything of the data",
  log: "conditions write nothing; leave it out",
  "=": "write `==`",
  "&&": "write `and`",
  "||": "write `or`",
  not: "write `!`",
  eq: "write `==`",
  contains: "write `in` with the part first",
  starts_with: "write `matches` with `start.*`, or `under` for a folder",
  startsWith: "write `matches` with `start.*`, or `under` for a folder",
  ends_with: "write `matches` with `.*end`, or `glob`",
  endsWith: "write `matches` with `.*end`, or `glob`",
  regex: "write `matches`",
  match: "write `matches`",
})

/** The operations of ours, which take a text and a pattern. */
const TEXT_TESTS: readonly string[] = ["matches", "glob", "under"]

/**
 * Everything that is certainly wrong in a rule: unknown operations, patterns that cannot be used, operands that are
 * missing, and tests that were written as several keys of one object, which is always true. In the rule's order.
 *
 * A regex that needs the engine is only looked at where one is registered.
 */
export function findLogicProblems(rule: unknown): LogicProblem[] {
  const problems: LogicProblem[] = []
  const add = (path: RulePath, message: string, hint?: string): void => {
    problems.push(hint === undefined ? { path: [...path], message } : { path: [...path], message, hint })
  }
  walkRule(
    rule,
    (operation) => {
      const { op, operands, path } = operation
      if (!isOperation(op)) add([...path, op], `unknown operation \`${op}\``, hintFor(op))
      else if (TEXT_TESTS.includes(op)) checkTextTest(operation, add)
      else if ((op === "*" && operands.length === 0) || (op === "missing_some" && operands.length < 2)) {
        add([...path, op], `\`${op}\` has too few values`)
      }
    },
    (value, path) => {
      const ops = Object.keys(value).filter(isOperation)
      if (ops.length === 0) return
      const names = ops.map((op) => `\`${op}\``).join(", ")
      add(path, `an object of several keys is a plain value, not a test: ${names}`, "put the tests into one `and`")
    },
  )
  return problems
}

type Add = (path: RulePath, message: string, hint?: string) => void

const hintFor = (op: string): string => {
  if (Object.hasOwn(FOREIGN, op)) return FOREIGN[op]!
  const near = nearest(op, OPERATION_NAMES)
  return near === undefined ? `the operations are ${OPERATION_NAMES.join(" ")}` : `did you mean \`${near}\`?`
}

function checkTextTest(operation: Visited, add: Add): void {
  const { op, operands, path } = operation
  if (operands.length !== 2) {
    add([...path, op], `\`${op}\` takes two values, a text and a pattern`, `write \`{"${op}": [{"var": "…"}, "…"]}\``)
    return
  }
  const [text, pattern] = operands
  if (isLiteral(text) && text !== null && typeof text !== "string")
    add(operandPath(operation, 0), `\`${op}\` needs a text`)
  if (!isLiteral(pattern)) return
  const patterns = op === "matches" || !Array.isArray(pattern) ? [pattern] : pattern
  patterns.forEach((one: unknown, at) => {
    const place =
      Array.isArray(pattern) && op !== "matches" ? [...operandPath(operation, 1), at] : operandPath(operation, 1)
    if (!isLiteral(one)) return
    if (typeof one !== "string") add(place, `the pattern of \`${op}\` must be a text`)
    else if (op === "matches") checkRegex(one, place, add)
  })
}

/** Not an operation. A list counts, though its items may be operations. */
const isLiteral = (part: unknown): boolean => readOperation(part) === undefined

function checkRegex(pattern: string, place: RulePath, add: Add): void {
  const source = regexOf(pattern)
  if (regexNeedsEngine(source) && !hasRegexEngine()) return
  try {
    compileRegex(source)
  } catch (error) {
    if (!(error instanceof PatternError)) throw error
    add(place, error.message, error.hint)
  }
}
