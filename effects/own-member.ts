import type { JsonObject } from "./json.ts"

/** A member of a value, or undefined: own members only, and no `length` of texts and lists. */
export function ownMember(value: unknown, name: string): unknown {
  if (typeof value === "string")
    return name !== "length" && Object.hasOwn(value as never, name) ? value[Number(name)] : undefined
  if (typeof value !== "object" || value === null) return undefined
  if (name === "length" && Array.isArray(value)) return undefined
  return Object.hasOwn(value, name) ? (value as JsonObject)[name] : undefined
}
