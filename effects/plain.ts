/** Deeper than this no value is taken: it is a cycle, or meant to hurt. */
export const MAX_DEPTH = 256

/** An object as JSON knows it: made by a literal or by JSON.parse, of any realm; no class instance. */
export const isPlain = (value: unknown): value is Record<string, unknown> => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/**
 * Whether a value would survive JSON unchanged: no `undefined`, function, symbol, bigint, NaN, infinity, hole, class
 * instance or cycle anywhere in it, and no `__proto__` key.
 */
export function isJson(value: unknown, depth = 0): boolean {
  if (value === null) return true
  switch (typeof value) {
    case "string":
    case "boolean":
      return true
    case "number":
      return Number.isFinite(value)
    case "object":
      return depth < MAX_DEPTH && (Array.isArray(value) ? isJsonList(value, depth) : isJsonObject(value, depth))
    default:
      return false
  }
}

function isJsonList(list: readonly unknown[], depth: number): boolean {
  for (let at = 0; at < list.length; at++) if (!isJson(list[at], depth + 1)) return false
  return true
}

function isJsonObject(value: object, depth: number): boolean {
  if (!isPlain(value)) return false
  for (const key of Object.keys(value)) if (key === "__proto__" || !isJson(value[key], depth + 1)) return false
  return true
}

/** Whether a value nests deeper than is taken, as a cycle does. Whatever it holds besides is not looked at. */
export function isTooDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== "object" || value === null) return false
  return depth >= MAX_DEPTH || Object.values(value).some((member) => isTooDeep(member, depth + 1))
}

/** A text that says something: not empty, not only white space. */
export const isText = (value: unknown): value is string => typeof value === "string" && /\S/.test(value)
