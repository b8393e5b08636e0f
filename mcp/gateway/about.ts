import type { ServerCapabilities } from "@modelcontextprotocol/server"
import type { Pool } from "../pool.ts"

/** What is said of a server at the handshake. */
export interface About {
  readonly capabilities: ServerCapabilities
  readonly instructions?: string
}

const EVERYTHING: ServerCapabilities = Object.freeze({
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  logging: {},
  completions: {},
})

/** What servers can, for a client that asks what the gateway can: of one server its own word, of several all there is. */
export async function aboutServers(pool: Pool, only: string | undefined): Promise<About> {
  if (only === undefined) return { capabilities: EVERYTHING }
  try {
    const { capabilities, ...rest } = await pool.server(only).about()
    const { tools, prompts, resources, logging, completions } = capabilities
    const known = { tools, prompts, resources, logging, completions }
    return { capabilities: Object.fromEntries(Object.entries(known).filter(([, value]) => value)), ...rest }
  } catch {
    // It may come up later; until then each request says what is wrong with it.
    return { capabilities: EVERYTHING }
  }
}
