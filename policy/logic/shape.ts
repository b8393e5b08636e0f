import type { JsonObject } from "../../effects/json.ts"

/** One operation of a rule as it was written: its name and its operands. */
export interface Written {
  readonly op: string
  readonly operands: readonly unknown[]
  /** whether the operands were written as a list, and not as the one operand itself */
  readonly listed: boolean
}

/** Reads an operation: an object with exactly one key. Undefined for any other value, which stands for itself. */
export function readOperation(rule: unknown): Written | undefined {
  if (typeof rule !== "object" || rule === null || Array.isArray(rule)) return undefined
  const keys = Object.keys(rule)
  if (keys.length !== 1) return undefined
  const op = keys[0]!
  const value = (rule as JsonObject)[op]
  return Array.isArray(value) ? { op, operands: value, listed: true } : { op, operands: [value], listed: false }
}

/** JSON Logic's truth: JavaScript's, but for an empty list, which is false. */
export const truthy = (value: unknown): boolean => (Array.isArray(value) ? value.length > 0 : Boolean(value))
