import { NAME_READERS, PAIR_READERS, type Reader } from "./inline-caches.ts"
import { ownMember } from "./own-member.ts"

export { ownMember } from "./own-member.ts"

/** Readers that were made already: a name keeps its inline cache in every rule. */
const names = new Map<string, Reader>()
const pairs = new Map<string, Reader>()

/** A reader of one own member, the same for every rule. */
export function readerOf(name: string): Reader {
  if (name === PROTO) return (value) => ownMember(value, name)
  return remembered(names, name, NAME_READERS.length, (copy) => NAME_READERS[copy]!(name))
}

/** A reader of an own member of an own member. */
function pairReader(first: string, second: string): Reader {
  if (first === PROTO || second === PROTO) return (value) => ownMember(ownMember(value, first), second)
  return remembered(pairs, `${first}.${second}`, PAIR_READERS.length, (copy) => PAIR_READERS[copy]!(first, second))
}

/** Asked for by this name, an object answers its prototype: not what every object has, and yet not its own. */
const PROTO = "__proto__"

/** Those after the last copy share it; to remember them gains nothing, and policies come and go in a daemon. */
function remembered(known: Map<string, Reader>, key: string, copies: number, make: (copy: number) => Reader): Reader {
  const old = known.get(key)
  if (old) return old
  const reader = make(Math.min(known.size, copies - 1))
  if (known.size < copies) known.set(key, reader)
  return reader
}

/** A reader of a dotted path; the empty path is the data itself. Undefined where something is missing on the way. */
export function pathReader(path: string): Reader {
  if (path === "") return (data) => data
  const [first, second, ...more] = path.split(".")
  if (second === undefined) return readerOf(first!)
  const pair = pairReader(first!, second)
  const [third, ...rest] = more.map(readerOf)
  if (!third) return pair
  if (rest.length === 0) {
    return (data) => {
      const value = pair(data)
      return value === undefined ? value : third(value)
    }
  }
  return (data) => {
    let value = third(pair(data))
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
