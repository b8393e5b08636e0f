import type { ServerCapabilities } from "@modelcontextprotocol/client"
import { isObject, type JsonObject } from "../effects/json.ts"
import { OperationError } from "../engine/errors.ts"

/** One of the lists that a server keeps. */
export interface ListRow {
  readonly method: string
  /** where a page holds its entries */
  readonly key: string
  /** what no entry can do without */
  readonly id: string
  /** which of its capabilities says that a server has the list */
  readonly capability: keyof ServerCapabilities
}

export const LISTS = Object.freeze({
  tools: { method: "tools/list", key: "tools", id: "name", capability: "tools" },
  prompts: { method: "prompts/list", key: "prompts", id: "name", capability: "prompts" },
  resources: { method: "resources/list", key: "resources", id: "uri", capability: "resources" },
  templates: {
    method: "resources/templates/list",
    key: "resourceTemplates",
    id: "uriTemplate",
    capability: "resources",
  },
} as const satisfies Record<string, ListRow>)
export type ListName = keyof typeof LISTS

/** More pages than these, and a list has no end. */
const MAX_PAGES = 10_000

/**
 * All pages of a list, each entry as its server gave it. An empty cursor is the end.
 *
 * @param ask answers one page
 * @throws OperationError `protocol` on a page that is none, and on a list without an end: a short list would be taken for the whole.
 */
export async function allPages(
  { key, id }: ListRow,
  ask: (params: JsonObject) => Promise<JsonObject>,
): Promise<readonly JsonObject[]> {
  const entries: JsonObject[] = []
  const asked = new Set<unknown>()
  for (let cursor: unknown; asked.size < MAX_PAGES; ) {
    asked.add(cursor)
    const { [key]: page, nextCursor } = await ask(cursor === undefined ? {} : { cursor })
    if (!Array.isArray(page) || !page.every((entry) => isObject(entry) && typeof entry[id] === "string")) {
      throw broken(`the server lists \`${key}\` that are none`)
    }
    entries.push(...page)
    if (nextCursor === undefined || nextCursor === null || nextCursor === "") return entries
    if (asked.has(nextCursor)) break
    cursor = nextCursor
  }
  throw broken(`the server's list of \`${key}\` has no end`)
}

const broken = (message: string) => new OperationError({ code: "protocol", message, data: { code: -32603 } })
