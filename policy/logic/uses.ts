import { regexNeedsEngine } from "../match/regex.ts"
import { readOperation } from "./shape.ts"
import { regexOf } from "./texts.ts"
import { operandPath, pointerOf, walkRule } from "./walk.ts"

/** A variable of the event that a rule reads. */
export interface Variable {
  /** dotted; the empty path is the whole event */
  readonly path: string
  /** whether it has a default other than null; never for `missing` */
  readonly default: boolean
  /** JSON pointer, from the rule's root, to where the path is written */
  readonly at: string
}

/** Whether a rule may need the regex engine: a `matches` whose regex is not a simple one, or is computed. */
export function usesRegex(rule: unknown): boolean {
  let uses = false
  walkRule(rule, ({ op, operands }) => {
    if (op !== "matches") return
    const pattern = operands[1]
    uses ||= typeof pattern === "string" ? regexNeedsEngine(regexOf(pattern)) : readOperation(pattern) !== undefined
  })
  return uses
}

/**
 * The variables of the event that a rule reads with `var`, `missing` and `missing_some`, in the rule's order. Paths that
 * are computed are left out, and so are those that read the items of a list.
 */
export function variablesOf(rule: unknown): Variable[] {
  const variables: Variable[] = []
  walkRule(rule, (operation) => {
    const { op, operands, scoped } = operation
    if (scoped) return
    if (op === "var") {
      const path = pathOf(operands[0])
      if (path === undefined) return
      variables.push({ path, default: hasDefault(operands), at: pointerOf(operandPath(operation, 0)) })
      return
    }
    for (const { path, at } of missingPaths(op, operands)) {
      const place = at.length === 0 ? operandPath(operation, 0) : [...operation.path, op, ...at]
      variables.push({ path, default: false, at: pointerOf(operation.listed ? place : [...operation.path, op]) })
    }
  })
  return variables
}

/** The path of a `var`, as the text it is read as; undefined where it is computed. */
export const pathOf = (operand: unknown): string | undefined =>
  operand === undefined || operand === null
    ? ""
    : typeof operand === "string" || typeof operand === "number"
      ? String(operand)
      : undefined

/** Whether a `var` is written with a default that is not null, which would be no other than having none. */
export const hasDefault = (operands: readonly unknown[]): boolean => operands[1] !== undefined && operands[1] !== null

/** The paths of a `missing` or `missing_some`, and where below the operation each is written. */
export function missingPaths(op: string, operands: readonly unknown[]): { path: string; at: (string | number)[] }[] {
  if (op !== "missing" && op !== "missing_some") return []
  const base = op === "missing" ? [] : [1]
  const keys = op === "missing" ? operands : operands[1]
  const nested = Array.isArray(keys) && Array.isArray(keys[0]) ? keys[0] : undefined
  const list: readonly unknown[] = nested ?? (Array.isArray(keys) ? keys : [keys])
  const prefix = nested ? [...base, 0] : base
  return list.flatMap((key, index) => {
    const path = typeof key === "string" || typeof key === "number" ? String(key) : undefined
    if (path === undefined) return []
    return [{ path, at: Array.isArray(keys) ? [...prefix, index] : prefix }]
  })
}
