import { ProtocolError, UriTemplate } from "@modelcontextprotocol/server"
import type { JsonObject } from "../../effects/json.ts"
import { OperationError } from "../../engine/errors.ts"
import { LISTS, type ListName } from "../lists.ts"
import type { Pool } from "../pool.ts"
import { clash, mayBeOf, Names, type Pair, wireName } from "./names.ts"

const METHOD_NOT_FOUND = -32601
const INVALID_PARAMS = -32602

/** One entry of a list, with the server that it is of. */
export interface Listed {
  readonly server: string
  readonly item: JsonObject
}

/** What several servers list, and why some of it is missing. */
export interface Listing {
  readonly entries: readonly Listed[]
  /** one sentence for each server that could not be asked, and each name that nobody has */
  readonly diagnostics: readonly string[]
}

/** What the servers of a pool have, under the names that clients see. */
export class Catalog {
  readonly #pool: Pool
  readonly #only: string | undefined
  /** names that have been looked up; gone with the next change of any list */
  readonly #known = new Map<string, Pair>()

  /** @param only the one server that is stood in for: everything keeps its own name */
  constructor(pool: Pool, only?: string) {
    this.#pool = pool
    this.#only = only
  }

  get servers(): readonly string[] {
    return this.#only === undefined ? this.#pool.names : [this.#only]
  }

  /** The one server that is stood in for. */
  get only(): string | undefined {
    return this.#only
  }

  /** What has been looked up may be out of date. */
  changed(): void {
    this.#known.clear()
  }

  /**
   * One list of all servers. A server that cannot be reached is missing and told; one that breaks off in the middle of its
   * list fails the whole, since nobody could see what is not there.
   */
  async list(kind: ListName): Promise<Listing> {
    await this.#has(kind)
    const diagnostics: string[] = []
    const parts = await Promise.all(
      this.servers.map(async (server) => {
        try {
          return (await this.#pool.server(server).list(kind)).map((item) => ({ server, item }))
        } catch (cause) {
          if (this.#only !== undefined || !isGone(cause)) throw cause
          diagnostics.push(cause.message)
          return []
        }
      }),
    )
    return { entries: parts.flat(), diagnostics }
  }

  /** The one server that is stood in for answers for itself: what it has no list of, it cannot be asked. */
  async #has(kind: ListName): Promise<void> {
    if (this.#only === undefined) return
    const { capabilities } = await this.#pool.server(this.#only).about()
    if (!capabilities[LISTS[kind].capability]) throw new ProtocolError(METHOD_NOT_FOUND, "Method not found")
  }

  /** A list under the names that clients see; names that several would have are left out, and told. */
  named({ entries, diagnostics }: Listing): Listing {
    if (this.#only !== undefined) return { entries, diagnostics }
    const pairs = entries.map(({ server, item }) => pairOf(server, String(item.name)))
    const names = new Names(pairs)
    const kept = entries.flatMap(({ server, item }, at) => {
      const [name] = pairs[at]!
      return Array.isArray(names.of(name)) ? [] : [{ server, item: { ...item, name } }]
    })
    return { entries: kept, diagnostics: [...diagnostics, ...names.clashes()] }
  }

  /**
   * The pair behind a name.
   *
   * @throws ProtocolError on a name that nobody has, or several would.
   */
  async pair(kind: "tools" | "prompts", wire: string): Promise<Pair> {
    if (this.#only !== undefined) return { server: this.#only, name: wire }
    const key = `${kind} ${wire}`
    const known = this.#known.get(key)
    if (known) return known
    const servers = this.servers.filter((server) => mayBeOf(server, wire))
    const lists = await Promise.all(servers.map((server) => this.#pool.server(server).list(kind)))
    const names = new Names(lists.flatMap((list, at) => list.map(({ name }) => pairOf(servers[at]!, String(name)))))
    const found = names.of(wire)
    if (found && "server" in found) {
      this.#known.set(key, found)
      return found
    }
    const noun = kind === "tools" ? "tool" : "prompt"
    throw new ProtocolError(INVALID_PARAMS, found ? clash(wire, found) : `there is no ${noun} \`${wire}\` here`)
  }

  /**
   * The server of a resource: the one that lists it, or whose template it fits, or the only one that has resources.
   *
   * @throws ProtocolError where there is none, or more than one.
   */
  async serverOf(uri: string): Promise<string> {
    if (this.#only !== undefined) return this.#only
    const listing = (await this.list("resources")).entries.filter(({ item }) => item.uri === uri)
    const fitting = listing.length > 0 ? listing : await this.#fitting(uri)
    const servers = [...new Set(fitting.map(({ server }) => server))]
    if (servers.length === 1) return servers[0]!
    const several = servers.map((server) => `\`${server}\``).join(" and ")
    const message =
      servers.length > 1 ? `\`${uri}\` is a resource of ${several}` : `no server here has the resource \`${uri}\``
    throw new ProtocolError(INVALID_PARAMS, message, { uri })
  }

  async #fitting(uri: string): Promise<readonly Listed[]> {
    const templates = (await this.list("templates")).entries
    return templates.filter(({ item }) => item.uriTemplate === uri || fits(String(item.uriTemplate), uri))
  }
}

const pairOf = (server: string, name: string): readonly [string, Pair] => [wireName(server, name), { server, name }]

/** A template that cannot be read fits nothing. */
function fits(template: string, uri: string): boolean {
  try {
    return new UriTemplate(template).match(uri) !== null
  } catch {
    return false
  }
}

/** Whether a server could not be reached at all, or was not allowed to start. */
const isGone = (cause: unknown): cause is OperationError =>
  cause instanceof OperationError && (cause.code === "unavailable" || cause.code === "refused")
