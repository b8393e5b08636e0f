// biome-ignore-all lint/suspicious/noDoubleEquals: JSON Logic's `==` is JavaScript's
import { type Build, type Node, operandAt, type Run, type Test, tested } from "./node.ts"

type Compare = (a: unknown, b: unknown) => boolean

/** The ways to compare, each written out: a shared comparison would be the slow part of the fast ones. */
const equal = (strict: boolean, negate: boolean): Build => {
  const compare: Compare = strict ? (a, b) => a === b : (a, b) => a == b
  return (operands, compile) => {
    const a = operandAt(operands, 0, compile)
    const b = operandAt(operands, 1, compile)
    if (isPrimitive(b)) return tested(againstConstant(a, b.constant!.value, strict, negate))
    if (isPrimitive(a)) return tested(againstConstant(b, a.constant!.value, strict, negate))
    const [left, right] = [a.run, b.run]
    return tested((data) => compare(left(data), right(data)) !== negate)
  }
}

const isPrimitive = (node: Node): boolean =>
  node.constant !== undefined && Object(node.constant.value) !== node.constant.value

function againstConstant(node: Node, value: unknown, strict: boolean, negate: boolean): (data: unknown) => boolean {
  // a missing variable is null, which only a strict comparison with null or undefined can tell from undefined
  const read: Run = strict && (value === null || value === undefined) ? node.run : (node.read ?? node.run)
  if (strict) return negate ? (data) => read(data) !== value : (data) => read(data) === value
  // loose comparison of two texts is strict comparison, and V8 does not have to ask what the other side is
  if (typeof value === "string" && node.read) {
    if (negate) return (data) => !looseText(read(data), value)
    return (data) => looseText(read(data), value)
  }
  return negate ? (data) => read(data) != value : (data) => read(data) == value
}

/** What is missing, and another text, are told apart from a text without asking for JavaScript's coercion. */
const looseText = (value: unknown, text: string): boolean =>
  value !== undefined && (value === text || (typeof value !== "string" && value == text))

type Relation = "<" | "<=" | ">" | ">="
type Comparable = number

const RELATIONS: Readonly<Record<Relation, Compare>> = Object.freeze({
  "<": (a, b) => (a as Comparable) < (b as Comparable),
  "<=": (a, b) => (a as Comparable) <= (b as Comparable),
  ">": (a, b) => (a as Comparable) > (b as Comparable),
  ">=": (a, b) => (a as Comparable) >= (b as Comparable),
})

const order =
  (relation: Relation): Build =>
  (operands, compile) => {
    const compare = RELATIONS[relation]
    const a = operandAt(operands, 0, compile)
    const b = operandAt(operands, 1, compile)
    const [left, right] = [a.run, b.run]
    if (operands.length > 2) {
      const last = operandAt(operands, 2, compile).run
      return tested((data) => {
        const [x, y, z] = [left(data), right(data), last(data)]
        return compare(x, y) && (z === undefined || compare(y, z))
      })
    }
    if (a.read && typeof b.constant?.value === "number") {
      return tested(againstNumber(a.read, b.constant.value, relation))
    }
    return tested((data) => compare(left(data), right(data)))
  }

/** Two numbers are compared on the spot; all else goes the way of the reference, in which nothing is 0. */
function againstNumber(read: Run, limit: number, relation: Relation): Test {
  const compare = RELATIONS[relation]
  const other = (value: unknown): boolean => compare(value === undefined ? null : value, limit)
  if (relation === "<") {
    return (data) => {
      const value = read(data)
      return typeof value === "number" ? value < limit : other(value)
    }
  }
  if (relation === ">") {
    return (data) => {
      const value = read(data)
      return typeof value === "number" ? value > limit : other(value)
    }
  }
  return (data) => other(read(data))
}

export const COMPARISONS = Object.freeze({
  "==": equal(false, false),
  "===": equal(true, false),
  "!=": equal(false, true),
  "!==": equal(true, true),
  "<": order("<"),
  "<=": order("<="),
  ">": order(">"),
  ">=": order(">="),
})
