import { asText, expand, expandValue, type Scope } from "./expand.ts"

const EMPTY = new Set(["", "false", "0", "null", "no"])

/** Whether a value counts as yes: all but nothing, `false`, `0`, `no`, and the empty text, list and object. */
export function holds(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length > 0
  return !EMPTY.has(asText(value).trim().toLowerCase())
}

/** `a == b`, `a != b`, `a contains b`, or one operand; `!` in front turns it around. */
const COMPARISON = /^(.*?)\s(==|!=|contains)\s(.*)$/s

/**
 * A condition over a workflow's values. Operators are read before values are put in, so that no value can be one.
 */
export function conditionHolds(condition: string, scope: Scope): boolean {
  const text = condition.trim()
  const [, left, operator, right] = COMPARISON.exec(text) ?? []
  if (operator === undefined) {
    return text.startsWith("!") ? !conditionHolds(text.slice(1), scope) : holds(expandValue(text, scope))
  }
  const [a, b] = [operand(left!, scope), operand(right!, scope)]
  if (operator === "contains") return a.includes(b)
  return (a === b) === (operator === "==")
}

/** Quotes around an operand are taken off before its values are put in. */
const operand = (text: string, scope: Scope): string => {
  const trimmed = text.trim()
  const inner = /^(["'])(.*)\1$/s.exec(trimmed)?.[2] ?? trimmed
  return expand(inner, scope).trim()
}
