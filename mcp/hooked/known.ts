import type { Tool } from "@modelcontextprotocol/client"
import type { JsonObject } from "../../effects/json.ts"
import { type Listed, listed } from "../listed.ts"
import type { Plain } from "./client.ts"

/** As many pages as the SDK reads by itself. */
const MAX_PAGES = 64

export interface Page {
  readonly tools: readonly Tool[]
  readonly nextCursor?: string
}

/**
 * What a server says of its tools, before any hook has had its say: from the listings that pass, and from one of our own
 * where none has passed before it is needed.
 */
export class Known {
  readonly #server: string
  readonly #client: Plain
  readonly #tools = new Map<string, Tool>()
  #listed: Listed | undefined
  /** whether all of the server's tools have been seen, and else the page that comes next */
  #whole = false
  #next: string | undefined

  constructor(server: string, client: Plain) {
    this.#server = server
    this.#client = client
  }

  /** @param from the cursor that the page was asked for by */
  async learn({ tools, nextCursor }: Page, from: unknown): Promise<void> {
    if (from === undefined) this.#tools.clear()
    for (const tool of tools) this.#tools.set(tool.name, tool)
    if (from === this.#next || from === undefined) {
      this.#next = nextCursor
      this.#whole = nextCursor === undefined
    }
    this.#listed = await listed(this.#server, [...this.#tools.values()])
  }

  /** A tool's own annotations; undefined where it has none, or its server cannot list it. */
  async annotations(tool: string): Promise<JsonObject | undefined> {
    await this.#all(tool)
    const own = this.#tools.get(tool)?.annotations
    return own && { ...own }
  }

  /** With another connection there may be another server. */
  forget(): void {
    this.#tools.clear()
    this.#listed = undefined
    this.#next = undefined
    this.#whole = false
  }

  /** Asks for all tools where this one has not been seen, and nobody has seen all. */
  async #all(tool: string): Promise<void> {
    if (this.#whole || this.#tools.has(tool)) return
    let cursor: string | undefined
    try {
      for (let page = 0; page < MAX_PAGES; page++) {
        const answer = (await this.#client.listTools(cursor === undefined ? undefined : { cursor })) as Page
        await this.learn(answer, cursor)
        cursor = answer.nextCursor
        if (cursor === undefined) return
      }
    } catch {
      // A server that cannot list its tools: nothing is known of them, and what is not known counts as the worst.
    }
  }

  /** Whether an input fits what a tool takes; undefined where that is not known. */
  fits(tool: string, input: JsonObject): boolean | undefined {
    return this.#listed?.fits(this.#server, tool, input)
  }
}
