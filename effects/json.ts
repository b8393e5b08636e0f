import { isPlain, MAX_DEPTH } from "./plain.ts"

/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

export type JsonObject = Record<string, unknown>

/** A plain object: no array, no null, no class instance's array-likes. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Drops one leading byte-order mark; one inside the text stays. */
export const withoutMark = (text: string): string => (text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)

/**
 * JSON.parse that loses nothing: a byte-order mark at the start is dropped, a key written twice in one object is
 * an error instead of the last one winning, and so is a `__proto__` key. A number that would become infinite, and
 * nesting that only a recursive reader could be hurt by, are errors too.
 *
 * @throws SyntaxError with what was wrong.
 */
export function parseJson(text: string): unknown {
  const clean = withoutMark(text)
  const value: unknown = JSON.parse(clean)
  refuseWhatIsLost(clean)
  return value
}

/** Walks the text of a document that JSON.parse has accepted, with one set of keys for each open object. */
function refuseWhatIsLost(text: string): void {
  const open: (Set<string> | undefined)[] = []
  let at = 0
  while (at < text.length) {
    const char = text.charCodeAt(at)
    if (char === 0x22) {
      const end = endOfString(text, at)
      const keys = open.at(-1)
      if (keys && isKeyEnd(text, end)) addKey(keys, JSON.parse(text.slice(at, end)) as string)
      at = end
      continue
    }
    if (isNumberStart(char)) {
      at = endOfNumber(text, at)
      continue
    }
    if (char === 0x7b || char === 0x5b) {
      if (open.length === MAX_DEPTH) throw new SyntaxError(`it is nested more than ${MAX_DEPTH} levels deep`)
      open.push(char === 0x7b ? new Set() : undefined)
    } else if (char === 0x7d || char === 0x5d) open.pop()
    at++
  }
}

const isNumberStart = (char: number): boolean => char === 0x2d || (char >= 0x30 && char <= 0x39)

/** No number of fewer digits is infinite, unless it has an exponent. */
const FINITE_DIGITS = 308

function endOfNumber(text: string, start: number): number {
  let at = start
  let exponent = false
  for (let char = text.charCodeAt(at); isNumberStart(char) || isNumberPart(char); char = text.charCodeAt(++at)) {
    if (char === 0x65 || char === 0x45) exponent = true
  }
  if ((exponent || at - start > FINITE_DIGITS) && !Number.isFinite(Number(text.slice(start, at)))) {
    throw new SyntaxError("a number in it is too large")
  }
  return at
}

/** `.`, `+`, `e` or `E`. */
const isNumberPart = (char: number): boolean => char === 0x2e || char === 0x2b || char === 0x65 || char === 0x45

function addKey(keys: Set<string>, key: string): void {
  if (key === "__proto__") throw new SyntaxError("the key `__proto__` is not allowed")
  if (keys.has(key)) throw new SyntaxError(`the key \`${key}\` is written twice in one object`)
  keys.add(key)
}

function endOfString(text: string, start: number): number {
  let at = start + 1
  while (text.charCodeAt(at) !== 0x22) at += text.charCodeAt(at) === 0x5c ? 2 : 1
  return at + 1
}

function isKeyEnd(text: string, at: number): boolean {
  let next = text.charCodeAt(at)
  while (next === 0x20 || next === 0x0a || next === 0x0d || next === 0x09) next = text.charCodeAt(++at)
  return next === 0x3a
}

/** Sets an own member, whatever its name: a plain assignment to `__proto__` would change the prototype instead. */
export function put(object: JsonObject, key: string, value: unknown): void {
  if (key !== "__proto__") object[key] = value
  else Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
}

/** Whether JSON text has nothing for a value: members of this kind are left out, items become `null`. */
const isUnwritable = (value: unknown): boolean =>
  value === undefined || typeof value === "function" || typeof value === "symbol"

/** A deep copy of a JSON value; members that are no JSON (functions, symbols, undefined) are left out. */
export function copyJson<T>(value: T): T {
  if (Array.isArray(value)) return value.map((item) => (isUnwritable(item) ? null : copyJson(item))) as T
  if (!isObject(value)) return value
  const copy: JsonObject = {}
  for (const key of Object.keys(value)) {
    const member = value[key]
    if (!isUnwritable(member)) put(copy, key, copyJson(member))
  }
  return copy as T
}

/**
 * A copy of a value that somebody else made, every part of it read once: what it answers when it is read again is
 * nobody's affair. What is no JSON stays as it is, for `isJson` to refuse.
 */
export function snapshot(value: unknown, depth = 0): unknown {
  if (depth >= MAX_DEPTH) return value
  if (Array.isArray(value)) return Array.from(value, (item) => snapshot(item, depth + 1))
  if (!isPlain(value)) return value
  const copy: JsonObject = {}
  for (const key of Object.keys(value)) put(copy, key, snapshot(value[key], depth + 1))
  return copy
}

/** Freezes a JSON value through and through, and answers it. */
export function freezeJson<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value
  for (const member of Object.values(value)) freezeJson(member)
  return Object.freeze(value)
}

/** Deep equality of two JSON values, whatever the order of keys. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => sameJson(item, b[index]))
  }
  if (!isObject(a) || !isObject(b)) return false
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]))
}

/** JSON text with keys in code-unit order, for hashing. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`
  if (!isObject(value)) return isUnwritable(value) ? "null" : JSON.stringify(value)
  const members = Object.keys(value)
    .filter((key) => !isUnwritable(value[key]))
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`)
  return `{${members.join(",")}}`
}
