import { readOperation, type Written } from "./shape.ts"
import { hasDefault, missingPaths, pathOf } from "./uses.ts"
import { isScoping, operandPath, pointerOf, type RulePath } from "./walk.ts"

/** An ordering test that takes a missing variable for null, which counts as 0. */
export interface Unguarded {
  /** the variable's dotted path */
  readonly path: string
  /** JSON pointer, from the rule's root, to the variable */
  readonly at: string
}

type Paths = ReadonlySet<string>
const NONE: Paths = new Set()

const ORDERINGS: readonly string[] = ["<", "<=", ">", ">="]

/**
 * The ordering tests on a variable that may be missing: it has no default, and nothing around the test, in an `and`, an
 * `or` or an `if`, sees to it that it is there.
 */
export function orderingOnMaybeMissing(rule: unknown): Unguarded[] {
  const found: Unguarded[] = []
  const walk = (part: unknown, path: RulePath, sure: Paths): void => {
    if (Array.isArray(part)) {
      for (const [at, item] of part.entries()) walk(item, [...path, at], sure)
      return
    }
    const written = readOperation(part)
    if (written === undefined) return
    const place = (at: number): RulePath => operandPath({ ...written, path }, at)
    if (ORDERINGS.includes(written.op)) {
      written.operands.forEach((operand, at) => {
        const variable = plainVariable(operand)
        if (variable !== undefined && !sure.has(variable)) found.push({ path: variable, at: pointerOf(place(at)) })
      })
    }
    for (const [at, operand] of written.operands.entries()) walk(operand, place(at), sureAt(written, at, sure))
  }
  walk(rule, [], NONE)
  return found
}

/** What is sure to be there when an operand is evaluated, or decides. */
function sureAt({ op, operands }: Written, at: number, sure: Paths): Paths {
  // items have paths of their own
  if (at === 1 && isScoping(op)) return ITEMS
  if (op === "and") return union([sure, ...operands.filter((_, other) => other !== at).map((one) => there(one, true))])
  if (op === "or") return union([sure, ...operands.filter((_, other) => other !== at).map((one) => there(one, false))])
  if (op !== "if" && op !== "?:") return sure
  const before = operands.slice(0, at - (at % 2)).filter((_, other) => other % 2 === 0)
  const own = at % 2 === 1 ? [there(operands[at - 1], true)] : []
  return union([sure, ...before.map((test) => there(test, false)), ...own])
}

/** What an item's rule always has. */
const ITEMS: Paths = new Set(["", "current", "accumulator"])

/** The variables that are sure to be there where a test comes out with this truth. */
function there(rule: unknown, truth: boolean): Paths {
  const written = readOperation(rule)
  if (written === undefined) return NONE
  const { op, operands } = written
  const [a, b] = operands
  if (op === "!") return there(a, !truth)
  if (op === "!!") return there(a, truth)
  if (op === "and" || op === "or") {
    const each = operands.map((operand) => there(operand, truth))
    return (op === "and") === truth ? union(each) : intersection(each)
  }
  if (op === "missing") return truth ? NONE : new Set(missingPaths(op, operands).map(({ path }) => path))
  if (op === "missing_some") {
    const paths = missingPaths(op, operands).map(({ path }) => path)
    return !truth && a === paths.length ? new Set(paths) : NONE
  }
  if (op === "var") return truth ? only(plainVariable(rule)) : NONE
  if (op.endsWith("=") && !ORDERINGS.includes(op)) {
    const different = op.startsWith("!") === truth
    if (isNull(a) || isNull(b)) return different ? only(plainVariable(isNull(a) ? b : a)) : NONE
    return !different && (isSimple(a) || isSimple(b)) ? only(plainVariable(isSimple(a) ? b : a)) : NONE
  }
  if (op === "in") return truth && Array.isArray(b) && b.every(isSimple) ? only(plainVariable(a)) : NONE
  return truth && (op === "matches" || op === "glob" || op === "under") ? only(plainVariable(a)) : NONE
}

const isNull = (part: unknown): boolean => part === null
const isSimple = (part: unknown): boolean =>
  typeof part === "string" || typeof part === "number" || typeof part === "boolean"

/** The path of a `var` without a default. */
function plainVariable(part: unknown): string | undefined {
  const written = readOperation(part)
  return written?.op === "var" && !hasDefault(written.operands) ? pathOf(written.operands[0]) : undefined
}

const only = (path: string | undefined): Paths => (path === undefined ? NONE : new Set([path]))
const union = (sets: readonly Paths[]): Paths => new Set(sets.flatMap((set) => [...set]))
const intersection = (sets: readonly Paths[]): Paths =>
  new Set([...(sets[0] ?? NONE)].filter((path) => sets.every((set) => set.has(path))))
