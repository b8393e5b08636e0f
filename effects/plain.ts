/** Deeper than this no value is taken: it is a cycle, or meant to hurt. */
export const MAX_DEPTH = 256

/** An object as JSON knows it: made by a literal or by JSON.parse, of any realm; no class instance. */
export const isPlain = (value: unknown): value is Record<string, unknown> => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  // Another realm has an `Object.prototype` of its own.
  return prototype === Object.prototype || prototype === null || Object.getPrototypeOf(prototype) === null
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

/**
 * The way to the first part of a value that JSON cannot carry, such as `.args.when`; "" for the value itself, undefined
 * where JSON can carry all of it. A member that is `undefined` counts as absent.
 */
export function faultIn(value: unknown, depth = 0): string | undefined {
  switch (typeof value) {
    case "string":
    case "boolean":
    case "undefined":
      return undefined
    case "number":
      return Number.isFinite(value) ? undefined : ""
    case "object":
      if (value === null) return undefined
      if (depth >= MAX_DEPTH) return ""
      return Array.isArray(value) ? faultInList(value, depth) : faultInObject(value, depth)
    default:
      return ""
  }
}

function faultInList(list: readonly unknown[], depth: number): string | undefined {
  for (let at = 0; at < list.length; at++) {
    const fault = list[at] === undefined ? "" : faultIn(list[at], depth + 1)
    if (fault !== undefined) return `[${at}]${fault}`
  }
  return undefined
}

function faultInObject(value: object, depth: number): string | undefined {
  if (!isPlain(value)) return ""
  for (const key of Object.keys(value)) {
    const fault = faultIn(value[key], depth + 1)
    if (fault !== undefined) return `.${key}${fault}`
  }
  return undefined
}

/** A text that says something: not empty, not only white space. */
export const isText = (value: unknown): value is string => typeof value === "string" && /\S/.test(value)
