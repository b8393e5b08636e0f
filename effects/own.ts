import type { JsonObject } from "./json.ts"

const BASE = Object.prototype as unknown as JsonObject
const protoOf = Object.getPrototypeOf as (value: object) => unknown

/** A member of a value, or undefined: own members only, and no `length` of texts and lists. */
export function ownMember(value: unknown, name: string): unknown {
  if (typeof value === "string")
    return name !== "length" && Object.hasOwn(value as never, name) ? value[Number(name)] : undefined
  if (typeof value !== "object" || value === null) return undefined
  if (name === "length" && Array.isArray(value)) return undefined
  return Object.hasOwn(value, name) ? (value as JsonObject)[name] : undefined
}

type Reader = (value: unknown) => unknown
type MakeReader = (name: string) => (from: JsonObject) => unknown

/**
 * The same line again and again, on purpose: a line of source has one inline cache, however many closures are made of it,
 * so that a reader that is shared by all names is three times slower than one that only ever meets one name.
 *
 * A value that was read from a plain object, and is not what every object has, is its own; all else is looked at twice.
 */
// biome-ignore format: one line each
const COPIES: readonly MakeReader[] = [
  (name) => (from) => { const value = from?.[name]; return value === undefined || (protoOf(from) === BASE && value !== BASE[name]) ? value : ownMember(from, name) },
  (name) => (from) => { const value = from?.[name]; return value === undefined || (protoOf(from) === BASE && value !== BASE[name]) ? value : ownMember(from, name) },
  (name) => (from) => { const value = from?.[name]; return value === undefined || (protoOf(from) === BASE && value !== BASE[name]) ? value : ownMember(from, name) },
  (name) => (from) => { const value = from?.[name]; return value === undefined || (protoOf(from) === BASE && value !== BASE[name]) ? value : ownMember(from, name) },
  (name) => (from) => { const value = from?.[name]; return value === undefined || (protoOf(from) === BASE && value !== BASE[name]) ? value : ownMember(from, name) },
  (name) => (from) => { const value = from?.[name]; return value === undefined || (protoOf(from) === BASE && value !== BASE[name]) ? value : ownMember(from, name) },
  (name) => (from) => { const value = from?.[name]; return value === undefined || (protoOf(from) === BASE && value !== BASE[name]) ? value : ownMember(from, name) },
  (name) => (from) => { const value = from?.[name]; return value === undefined || (protoOf(from) === BASE && value !== BASE[name]) ? value : ownMember(from, name) },
  (name) => (from) => { const value = from?.[name]; return value === undefined || (protoOf(from) === BASE && value !== BASE[name]) ? value : ownMember(from, name) },
  (name) => (from) => { const value = from?.[name]; return value === undefined || (protoOf(from) === BASE && value !== BASE[name]) ? value : ownMember(from, name) },
  (name) => (from) => { const value = from?.[name]; return value === undefined || (protoOf(from) === BASE && value !== BASE[name]) ? value : ownMember(from, name) },
  (name) => (from) => { const value = from?.[name]; return value === undefined || (protoOf(from) === BASE && value !== BASE[name]) ? value : ownMember(from, name) },
  (name) => (from) => { const value = from?.[name]; return value === undefined || (protoOf(from) === BASE && value !== BASE[name]) ? value : ownMember(from, name) },
  (name) => (from) => { const value = from?.[name]; return value === undefined || (protoOf(from) === BASE && value !== BASE[name]) ? value : ownMember(from, name) },
  (name) => (from) => { const value = from?.[name]; return value === undefined || (protoOf(from) === BASE && value !== BASE[name]) ? value : ownMember(from, name) },
  (name) => (from) => { const value = from?.[name]; return value === undefined || (protoOf(from) === BASE && value !== BASE[name]) ? value : ownMember(from, name) },
  (name) => (from) => { const value = from?.[name]; return value === undefined || (protoOf(from) === BASE && value !== BASE[name]) ? value : ownMember(from, name) },
  (name) => (from) => { const value = from?.[name]; return value === undefined || (protoOf(from) === BASE && value !== BASE[name]) ? value : ownMember(from, name) },
  (name) => (from) => { const value = from?.[name]; return value === undefined || (protoOf(from) === BASE && value !== BASE[name]) ? value : ownMember(from, name) },
  (name) => (from) => { const value = from?.[name]; return value === undefined || (protoOf(from) === BASE && value !== BASE[name]) ? value : ownMember(from, name) },
  (name) => (from) => { const value = from?.[name]; return value === undefined || (protoOf(from) === BASE && value !== BASE[name]) ? value : ownMember(from, name) },
  (name) => (from) => { const value = from?.[name]; return value === undefined || (protoOf(from) === BASE && value !== BASE[name]) ? value : ownMember(from, name) },
  (name) => (from) => { const value = from?.[name]; return value === undefined || (protoOf(from) === BASE && value !== BASE[name]) ? value : ownMember(from, name) },
  (name) => (from) => { const value = from?.[name]; return value === undefined || (protoOf(from) === BASE && value !== BASE[name]) ? value : ownMember(from, name) },
]

const readers = new Map<string, Reader>()

/** A reader of one name, the same for every rule. Names after the first two dozen share the last copy. */
export function readerOf(name: string): Reader {
  // Asked for by this name, an object answers its prototype: not what every object has, and yet not its own.
  if (name === "__proto__") return (value) => ownMember(value, name)
  const known = readers.get(name)
  if (known) return known
  const make = COPIES[Math.min(readers.size, COPIES.length - 1)]!
  const reader = make(name) as Reader
  // names beyond the copies gain nothing by being remembered, and policies come and go in a daemon
  if (readers.size < COPIES.length) readers.set(name, reader)
  return reader
}

/** A reader of a dotted path; the empty path is the data itself. Undefined where something is missing on the way. */
export function pathReader(path: string): Reader {
  if (path === "") return (data) => data
  const [first, second, third, ...more] = path.split(".").map(readerOf)
  const a = first!
  if (!second) return a
  if (!third) return (data) => second(a(data))
  if (more.length === 0) return (data) => third(second(a(data)))
  const rest = [second, third, ...more]
  return (data) => {
    let value = a(data)
    for (const reader of rest) value = reader(value)
    return value
  }
}

/** Reads a dotted path that is only known at run time. */
export function readPath(data: unknown, path: string): unknown {
  let value = data
  for (const name of path.split(".")) {
    if (value === undefined || value === null) return undefined
    value = ownMember(value, name)
  }
  return value
}
