import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  Client,
  PROTOCOL_VERSION_META_KEY,
  type Transport,
} from "@modelcontextprotocol/client"
import type { JsonObject } from "../effects/json.ts"
import { OperationError } from "../engine/errors.ts"
import type { Input } from "./input.ts"
import type { Peer } from "./peer.ts"
import { Tap } from "./tap.ts"

/** One session with a server, from its handshake to its end. */
export interface Session {
  readonly client: Client
  readonly tap: Tap
  /** what each request of the 2026 revision carries; undefined with older servers */
  readonly envelope: JsonObject | undefined
}

/** What becomes of a session. */
export interface SessionEvents {
  ended(): void
  /** one of the server's lists is no longer what it was */
  changed(): void
}

/**
 * Shakes hands with a server, in the newest revision that both know.
 *
 * @throws OperationError `unavailable`, after the transport has been closed.
 */
export async function connect(
  name: string,
  transport: Transport,
  startMs: number,
  peer: Peer,
  input: Input,
  events: SessionEvents,
): Promise<Session> {
  const client = new Client(peer.info, {
    capabilities: peer.capabilities,
    versionNegotiation: { mode: "auto", probe: { timeoutMs: Math.min(5000, startMs / 2) } },
  })
  const tap = new Tap(transport)
  client.onclose = () => events.ended()
  input.serve(client, peer)
  client.fallbackNotificationHandler = async ({ method, params = {} }) => {
    if (method.endsWith("/list_changed")) events.changed()
    peer.notified?.(method, params as JsonObject)
  }
  try {
    await within(startMs, client.connect(tap))
    await follow(client)
    return { client, tap, envelope: envelopeOf(client, peer) }
  } catch (cause) {
    await transport.close().catch(() => {})
    const how = endOf(transport)()
    const why = cause instanceof OperationError ? cause.message : (cause as Error).message
    const message = `the server \`${name}\` did not start: ${how === undefined ? why : `it ended with ${how}`}`
    throw new OperationError({ code: "unavailable", message })
  }
}

/** A server of the 2026 revision tells of changes only to those who listen. */
async function follow(client: Client): Promise<void> {
  if (client.getProtocolEra() !== "modern") return
  const { tools, prompts, resources } = client.getServerCapabilities() ?? {}
  const filter = {
    ...(tools?.listChanged ? { toolsListChanged: true } : {}),
    ...(prompts?.listChanged ? { promptsListChanged: true } : {}),
    ...(resources?.listChanged ? { resourcesListChanged: true } : {}),
  }
  // A server that says so and does not keep it costs its news, not its calls.
  if (Object.keys(filter).length > 0) await client.listen(filter).catch(() => {})
}

/** How a server that is a child has ended, once it has. */
export const endOf = (transport: Transport) => (): string | undefined =>
  "ended" in transport && typeof transport.ended === "string" ? transport.ended : undefined

function envelopeOf(client: Client, { info, capabilities }: Peer): JsonObject | undefined {
  if (client.getProtocolEra() !== "modern") return undefined
  return {
    [PROTOCOL_VERSION_META_KEY]: client.getNegotiatedProtocolVersion(),
    [CLIENT_INFO_META_KEY]: info,
    [CLIENT_CAPABILITIES_META_KEY]: capabilities,
  }
}

/** @throws OperationError where it takes longer. */
async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new OperationError({ code: "timeout", message: `not ready in ${ms} ms` })), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
