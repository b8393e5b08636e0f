import type { JsonObject } from "./json.ts"
import { ownMember } from "./own-member.ts"

/*
 * The same line again and again, on purpose. A line of source has one inline cache, however many closures are made of it:
 * a reader that is shared by all names is three times slower than one that only ever meets one name. Each copy is given
 * to one name, or to one pair of names.
 *
 * A value that was read from a plain object, and is not what every object inherits, is the object's own; everything
 * else is looked at again by `ownMember`.
 */

/** Reads something of a value; undefined where it is missing. */
export type Reader = (value: unknown) => unknown

const BASE = Object.prototype as unknown as JsonObject
const protoOf = Object.getPrototypeOf as (value: object) => unknown

type ReadBag = (from: JsonObject) => unknown
type ReadBags = (from: Record<string, JsonObject | undefined>) => unknown

// biome-ignore format: one line each
const ONE_NAME: readonly ((name: string) => ReadBag)[] = [
  (name) => (from) => { if (typeof from === "object" && from !== null) { const value = from[name]; if (value === undefined || (protoOf(from) === BASE && value !== BASE[name])) return value } return ownMember(from, name) },
  (name) => (from) => { if (typeof from === "object" && from !== null) { const value = from[name]; if (value === undefined || (protoOf(from) === BASE && value !== BASE[name])) return value } return ownMember(from, name) },
  (name) => (from) => { if (typeof from === "object" && from !== null) { const value = from[name]; if (value === undefined || (protoOf(from) === BASE && value !== BASE[name])) return value } return ownMember(from, name) },
  (name) => (from) => { if (typeof from === "object" && from !== null) { const value = from[name]; if (value === undefined || (protoOf(from) === BASE && value !== BASE[name])) return value } return ownMember(from, name) },
  (name) => (from) => { if (typeof from === "object" && from !== null) { const value = from[name]; if (value === undefined || (protoOf(from) === BASE && value !== BASE[name])) return value } return ownMember(from, name) },
  (name) => (from) => { if (typeof from === "object" && from !== null) { const value = from[name]; if (value === undefined || (protoOf(from) === BASE && value !== BASE[name])) return value } return ownMember(from, name) },
  (name) => (from) => { if (typeof from === "object" && from !== null) { const value = from[name]; if (value === undefined || (protoOf(from) === BASE && value !== BASE[name])) return value } return ownMember(from, name) },
  (name) => (from) => { if (typeof from === "object" && from !== null) { const value = from[name]; if (value === undefined || (protoOf(from) === BASE && value !== BASE[name])) return value } return ownMember(from, name) },
  (name) => (from) => { if (typeof from === "object" && from !== null) { const value = from[name]; if (value === undefined || (protoOf(from) === BASE && value !== BASE[name])) return value } return ownMember(from, name) },
  (name) => (from) => { if (typeof from === "object" && from !== null) { const value = from[name]; if (value === undefined || (protoOf(from) === BASE && value !== BASE[name])) return value } return ownMember(from, name) },
  (name) => (from) => { if (typeof from === "object" && from !== null) { const value = from[name]; if (value === undefined || (protoOf(from) === BASE && value !== BASE[name])) return value } return ownMember(from, name) },
  (name) => (from) => { if (typeof from === "object" && from !== null) { const value = from[name]; if (value === undefined || (protoOf(from) === BASE && value !== BASE[name])) return value } return ownMember(from, name) },
  (name) => (from) => { if (typeof from === "object" && from !== null) { const value = from[name]; if (value === undefined || (protoOf(from) === BASE && value !== BASE[name])) return value } return ownMember(from, name) },
  (name) => (from) => { if (typeof from === "object" && from !== null) { const value = from[name]; if (value === undefined || (protoOf(from) === BASE && value !== BASE[name])) return value } return ownMember(from, name) },
  (name) => (from) => { if (typeof from === "object" && from !== null) { const value = from[name]; if (value === undefined || (protoOf(from) === BASE && value !== BASE[name])) return value } return ownMember(from, name) },
  (name) => (from) => { if (typeof from === "object" && from !== null) { const value = from[name]; if (value === undefined || (protoOf(from) === BASE && value !== BASE[name])) return value } return ownMember(from, name) },
  (name) => (from) => { if (typeof from === "object" && from !== null) { const value = from[name]; if (value === undefined || (protoOf(from) === BASE && value !== BASE[name])) return value } return ownMember(from, name) },
  (name) => (from) => { if (typeof from === "object" && from !== null) { const value = from[name]; if (value === undefined || (protoOf(from) === BASE && value !== BASE[name])) return value } return ownMember(from, name) },
  (name) => (from) => { if (typeof from === "object" && from !== null) { const value = from[name]; if (value === undefined || (protoOf(from) === BASE && value !== BASE[name])) return value } return ownMember(from, name) },
  (name) => (from) => { if (typeof from === "object" && from !== null) { const value = from[name]; if (value === undefined || (protoOf(from) === BASE && value !== BASE[name])) return value } return ownMember(from, name) },
  (name) => (from) => { if (typeof from === "object" && from !== null) { const value = from[name]; if (value === undefined || (protoOf(from) === BASE && value !== BASE[name])) return value } return ownMember(from, name) },
  (name) => (from) => { if (typeof from === "object" && from !== null) { const value = from[name]; if (value === undefined || (protoOf(from) === BASE && value !== BASE[name])) return value } return ownMember(from, name) },
  (name) => (from) => { if (typeof from === "object" && from !== null) { const value = from[name]; if (value === undefined || (protoOf(from) === BASE && value !== BASE[name])) return value } return ownMember(from, name) },
  (name) => (from) => { if (typeof from === "object" && from !== null) { const value = from[name]; if (value === undefined || (protoOf(from) === BASE && value !== BASE[name])) return value } return ownMember(from, name) },
]

// biome-ignore format: one line each
const TWO_NAMES: readonly ((a: string, b: string) => ReadBags)[] = [
  (a, b) => (from) => { if (typeof from === "object" && from !== null) { const bag = from[a]; if (bag === undefined) return bag; if (typeof bag === "object" && bag !== null && protoOf(from) === BASE && bag !== BASE[a]) { const value = bag[b]; if (value === undefined || (protoOf(bag) === BASE && value !== BASE[b])) return value } } return ownMember(ownMember(from, a), b) },
  (a, b) => (from) => { if (typeof from === "object" && from !== null) { const bag = from[a]; if (bag === undefined) return bag; if (typeof bag === "object" && bag !== null && protoOf(from) === BASE && bag !== BASE[a]) { const value = bag[b]; if (value === undefined || (protoOf(bag) === BASE && value !== BASE[b])) return value } } return ownMember(ownMember(from, a), b) },
  (a, b) => (from) => { if (typeof from === "object" && from !== null) { const bag = from[a]; if (bag === undefined) return bag; if (typeof bag === "object" && bag !== null && protoOf(from) === BASE && bag !== BASE[a]) { const value = bag[b]; if (value === undefined || (protoOf(bag) === BASE && value !== BASE[b])) return value } } return ownMember(ownMember(from, a), b) },
  (a, b) => (from) => { if (typeof from === "object" && from !== null) { const bag = from[a]; if (bag === undefined) return bag; if (typeof bag === "object" && bag !== null && protoOf(from) === BASE && bag !== BASE[a]) { const value = bag[b]; if (value === undefined || (protoOf(bag) === BASE && value !== BASE[b])) return value } } return ownMember(ownMember(from, a), b) },
  (a, b) => (from) => { if (typeof from === "object" && from !== null) { const bag = from[a]; if (bag === undefined) return bag; if (typeof bag === "object" && bag !== null && protoOf(from) === BASE && bag !== BASE[a]) { const value = bag[b]; if (value === undefined || (protoOf(bag) === BASE && value !== BASE[b])) return value } } return ownMember(ownMember(from, a), b) },
  (a, b) => (from) => { if (typeof from === "object" && from !== null) { const bag = from[a]; if (bag === undefined) return bag; if (typeof bag === "object" && bag !== null && protoOf(from) === BASE && bag !== BASE[a]) { const value = bag[b]; if (value === undefined || (protoOf(bag) === BASE && value !== BASE[b])) return value } } return ownMember(ownMember(from, a), b) },
  (a, b) => (from) => { if (typeof from === "object" && from !== null) { const bag = from[a]; if (bag === undefined) return bag; if (typeof bag === "object" && bag !== null && protoOf(from) === BASE && bag !== BASE[a]) { const value = bag[b]; if (value === undefined || (protoOf(bag) === BASE && value !== BASE[b])) return value } } return ownMember(ownMember(from, a), b) },
  (a, b) => (from) => { if (typeof from === "object" && from !== null) { const bag = from[a]; if (bag === undefined) return bag; if (typeof bag === "object" && bag !== null && protoOf(from) === BASE && bag !== BASE[a]) { const value = bag[b]; if (value === undefined || (protoOf(bag) === BASE && value !== BASE[b])) return value } } return ownMember(ownMember(from, a), b) },
  (a, b) => (from) => { if (typeof from === "object" && from !== null) { const bag = from[a]; if (bag === undefined) return bag; if (typeof bag === "object" && bag !== null && protoOf(from) === BASE && bag !== BASE[a]) { const value = bag[b]; if (value === undefined || (protoOf(bag) === BASE && value !== BASE[b])) return value } } return ownMember(ownMember(from, a), b) },
  (a, b) => (from) => { if (typeof from === "object" && from !== null) { const bag = from[a]; if (bag === undefined) return bag; if (typeof bag === "object" && bag !== null && protoOf(from) === BASE && bag !== BASE[a]) { const value = bag[b]; if (value === undefined || (protoOf(bag) === BASE && value !== BASE[b])) return value } } return ownMember(ownMember(from, a), b) },
  (a, b) => (from) => { if (typeof from === "object" && from !== null) { const bag = from[a]; if (bag === undefined) return bag; if (typeof bag === "object" && bag !== null && protoOf(from) === BASE && bag !== BASE[a]) { const value = bag[b]; if (value === undefined || (protoOf(bag) === BASE && value !== BASE[b])) return value } } return ownMember(ownMember(from, a), b) },
  (a, b) => (from) => { if (typeof from === "object" && from !== null) { const bag = from[a]; if (bag === undefined) return bag; if (typeof bag === "object" && bag !== null && protoOf(from) === BASE && bag !== BASE[a]) { const value = bag[b]; if (value === undefined || (protoOf(bag) === BASE && value !== BASE[b])) return value } } return ownMember(ownMember(from, a), b) },
  (a, b) => (from) => { if (typeof from === "object" && from !== null) { const bag = from[a]; if (bag === undefined) return bag; if (typeof bag === "object" && bag !== null && protoOf(from) === BASE && bag !== BASE[a]) { const value = bag[b]; if (value === undefined || (protoOf(bag) === BASE && value !== BASE[b])) return value } } return ownMember(ownMember(from, a), b) },
  (a, b) => (from) => { if (typeof from === "object" && from !== null) { const bag = from[a]; if (bag === undefined) return bag; if (typeof bag === "object" && bag !== null && protoOf(from) === BASE && bag !== BASE[a]) { const value = bag[b]; if (value === undefined || (protoOf(bag) === BASE && value !== BASE[b])) return value } } return ownMember(ownMember(from, a), b) },
  (a, b) => (from) => { if (typeof from === "object" && from !== null) { const bag = from[a]; if (bag === undefined) return bag; if (typeof bag === "object" && bag !== null && protoOf(from) === BASE && bag !== BASE[a]) { const value = bag[b]; if (value === undefined || (protoOf(bag) === BASE && value !== BASE[b])) return value } } return ownMember(ownMember(from, a), b) },
  (a, b) => (from) => { if (typeof from === "object" && from !== null) { const bag = from[a]; if (bag === undefined) return bag; if (typeof bag === "object" && bag !== null && protoOf(from) === BASE && bag !== BASE[a]) { const value = bag[b]; if (value === undefined || (protoOf(bag) === BASE && value !== BASE[b])) return value } } return ownMember(ownMember(from, a), b) },
  (a, b) => (from) => { if (typeof from === "object" && from !== null) { const bag = from[a]; if (bag === undefined) return bag; if (typeof bag === "object" && bag !== null && protoOf(from) === BASE && bag !== BASE[a]) { const value = bag[b]; if (value === undefined || (protoOf(bag) === BASE && value !== BASE[b])) return value } } return ownMember(ownMember(from, a), b) },
  (a, b) => (from) => { if (typeof from === "object" && from !== null) { const bag = from[a]; if (bag === undefined) return bag; if (typeof bag === "object" && bag !== null && protoOf(from) === BASE && bag !== BASE[a]) { const value = bag[b]; if (value === undefined || (protoOf(bag) === BASE && value !== BASE[b])) return value } } return ownMember(ownMember(from, a), b) },
  (a, b) => (from) => { if (typeof from === "object" && from !== null) { const bag = from[a]; if (bag === undefined) return bag; if (typeof bag === "object" && bag !== null && protoOf(from) === BASE && bag !== BASE[a]) { const value = bag[b]; if (value === undefined || (protoOf(bag) === BASE && value !== BASE[b])) return value } } return ownMember(ownMember(from, a), b) },
  (a, b) => (from) => { if (typeof from === "object" && from !== null) { const bag = from[a]; if (bag === undefined) return bag; if (typeof bag === "object" && bag !== null && protoOf(from) === BASE && bag !== BASE[a]) { const value = bag[b]; if (value === undefined || (protoOf(bag) === BASE && value !== BASE[b])) return value } } return ownMember(ownMember(from, a), b) },
  (a, b) => (from) => { if (typeof from === "object" && from !== null) { const bag = from[a]; if (bag === undefined) return bag; if (typeof bag === "object" && bag !== null && protoOf(from) === BASE && bag !== BASE[a]) { const value = bag[b]; if (value === undefined || (protoOf(bag) === BASE && value !== BASE[b])) return value } } return ownMember(ownMember(from, a), b) },
  (a, b) => (from) => { if (typeof from === "object" && from !== null) { const bag = from[a]; if (bag === undefined) return bag; if (typeof bag === "object" && bag !== null && protoOf(from) === BASE && bag !== BASE[a]) { const value = bag[b]; if (value === undefined || (protoOf(bag) === BASE && value !== BASE[b])) return value } } return ownMember(ownMember(from, a), b) },
  (a, b) => (from) => { if (typeof from === "object" && from !== null) { const bag = from[a]; if (bag === undefined) return bag; if (typeof bag === "object" && bag !== null && protoOf(from) === BASE && bag !== BASE[a]) { const value = bag[b]; if (value === undefined || (protoOf(bag) === BASE && value !== BASE[b])) return value } } return ownMember(ownMember(from, a), b) },
  (a, b) => (from) => { if (typeof from === "object" && from !== null) { const bag = from[a]; if (bag === undefined) return bag; if (typeof bag === "object" && bag !== null && protoOf(from) === BASE && bag !== BASE[a]) { const value = bag[b]; if (value === undefined || (protoOf(bag) === BASE && value !== BASE[b])) return value } } return ownMember(ownMember(from, a), b) },
]

/** Readers of one own member of a value. */
export const NAME_READERS = Object.freeze(ONE_NAME) as readonly ((name: string) => Reader)[]

/** Readers of an own member of an own member. */
export const PAIR_READERS = Object.freeze(TWO_NAMES) as readonly ((a: string, b: string) => Reader)[]
