import { isObject } from "../effects/json.ts"

/**
 * A result of the same shape that says why it is withheld and nothing else: hosts discard what does not look like their
 * tool's result, and would then show the original.
 */
export function withheld(result: unknown, reason: string): unknown {
  let said = false
  const empty = (value: unknown): unknown => {
    if (typeof value === "string") {
      if (said) return ""
      said = true
      return reason
    }
    if (Array.isArray(value)) return said ? [] : value.slice(0, 1).map(empty)
    if (typeof value === "number") return 0
    if (!isObject(value)) return value
    // What names a variant of the shape has to stay; all else goes.
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, VARIANT.has(key) ? one : empty(one)]))
  }
  const emptied = empty(result)
  return said ? emptied : reason
}

const VARIANT: ReadonlySet<string> = new Set(["type", "isImage", "interrupted"])
