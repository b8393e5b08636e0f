import { createHash } from "node:crypto"

/** The longest name of a tool that the models' own interfaces take. */
const MAX_LENGTH = 64

const PLAIN = /^[A-Za-z0-9_-]+$/

/** Whether a pair's joined name can be read in one way only. */
const isPlain = (server: string, name: string): boolean =>
  PLAIN.test(server) && PLAIN.test(name) && !server.includes("__") && !server.endsWith("_") && !name.startsWith("_")

const simplified = (text: string): string => text.replaceAll(/[^A-Za-z0-9_-]/g, "_")

/**
 * The name under which a client sees a tool or a prompt of one server among many: a function of the pair alone, whatever else
 * there is, and in whatever order it came. Where the joined name could be another pair's, or is too long, a hash of the pair ends it.
 */
export function wireName(server: string, name: string): string {
  const joined = `${server}__${name}`
  if (isPlain(server, name) && joined.length <= MAX_LENGTH) return joined
  const hash = createHash("sha256")
    .update(JSON.stringify([server, name]))
    .digest("hex")
    .slice(0, 8)
  return `${simplified(joined).slice(0, MAX_LENGTH - hash.length - 1)}_${hash}`
}

/** Whether a name may be one of a server's: only a first look, which spares the start of those that cannot. */
export const mayBeOf = (server: string, wire: string): boolean => {
  const start = simplified(server).slice(0, MAX_LENGTH - 9)
  return wire.startsWith(start)
}

/** A pair behind a name. */
export interface Pair {
  readonly server: string
  readonly name: string
}

/** Names and their pairs; where several pairs have one name, none of them has it. */
export class Names {
  readonly #pairs = new Map<string, Pair[]>()

  constructor(pairs: Iterable<readonly [string, Pair]>) {
    for (const [wire, pair] of pairs) this.#pairs.set(wire, [...(this.#pairs.get(wire) ?? []), pair])
  }

  /** The pair of a name, several where it is nobody's, or undefined. */
  of(wire: string): Pair | readonly Pair[] | undefined {
    const pairs = this.#pairs.get(wire)
    return pairs?.length === 1 ? pairs[0] : pairs
  }

  /** One sentence for each name that is nobody's. */
  clashes(): string[] {
    return [...this.#pairs].flatMap(([wire, pairs]) => (pairs.length > 1 ? [clash(wire, pairs)] : []))
  }
}

/** What is said of a name that several pairs have. */
export const clash = (wire: string, pairs: readonly Pair[]): string =>
  `\`${wire}\` is the name of ${pairs.map(({ server, name }) => `\`${server}/${name}\``).join(" and ")}, so neither has it`
