import { readOperation, type Written } from "./shape.ts"

/** Where a part of a rule stands: the keys and indexes from the rule's root. */
export type RulePath = readonly (string | number)[]

export interface Visited extends Written {
  readonly path: RulePath
  /** inside the rule of a list operation, where `var` reads an item and not the event */
  readonly scoped: boolean
}

/** Operations whose second operand is a rule about each item of the first. */
const SCOPING = new Set(["map", "filter", "reduce", "all", "none", "some"])

export const isScoping = (op: string): boolean => SCOPING.has(op)

/** The place of an operand, which is in a list or is the operation's whole value. */
export const operandPath = ({ path, op, listed }: Pick<Visited, "path" | "op" | "listed">, at: number): RulePath =>
  listed ? [...path, op, at] : [...path, op]

/** Visits every operation of a rule, outer ones first, and every object of several keys through `onObject`. */
export function walkRule(
  rule: unknown,
  visit: (operation: Visited) => void,
  onObject: (value: object, path: RulePath) => void = () => {},
): void {
  const walk = (part: unknown, path: RulePath, scoped: boolean): void => {
    if (Array.isArray(part)) {
      for (const [at, item] of part.entries()) walk(item, [...path, at], scoped)
      return
    }
    const written = readOperation(part)
    if (written === undefined) {
      if (typeof part === "object" && part !== null) onObject(part, path)
      return
    }
    const operation = { ...written, path, scoped }
    visit(operation)
    written.operands.forEach((operand, at) => {
      walk(operand, operandPath(operation, at), scoped || (at === 1 && isScoping(written.op)))
    })
  }
  walk(rule, [], false)
}

/** A path as a JSON pointer. */
export const pointerOf = (path: RulePath): string =>
  path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("")
