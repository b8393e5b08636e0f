import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  Client,
  PROTOCOL_VERSION_META_KEY,
  SdkError,
  SdkErrorCode,
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
  /** whether it is a program of an older revision: started again, it is one still */
  readonly older: boolean
}

/** What becomes of a session. */
export interface SessionEvents {
  ended(): void
  /** one of the server's lists is no longer what it was */
  changed(): void
}

/** How a server is begun with, and what it may cost. */
export interface Start {
  readonly name: string
  readonly open: () => Transport
  /** whether it is to be begun still */
  readonly wanted: () => boolean
  /** milliseconds to the end of the handshake */
  readonly startMs: number
  readonly peer: Peer
  readonly input: Input
  /** whether it is known to be of an older revision, and is asked for no newer one */
  readonly older: boolean
}

/**
 * Shakes hands with a server, in the newest revision that both know.
 *
 * @throws OperationError `unavailable`, after the transport has been closed.
 */
export async function connect(start: Start, events: SessionEvents): Promise<Session> {
  const began = Date.now()
  const transport = start.open()
  try {
    return await within(start.startMs, shakeHands(start, transport, events))
  } catch (cause) {
    // How it ended by itself, if it did: not how we end it.
    const how = endOf(transport)
    await transport.close().catch(() => {})
    const startMs = start.startMs - (Date.now() - began)
    // Some die of a question that they do not know.
    if (endedByQuestion(cause) && startMs > 0 && start.wanted())
      return connect({ ...start, startMs, older: true }, events)
    const why = how === undefined ? (cause as Error).message : `it ended with ${how}`
    throw new OperationError({ code: "unavailable", message: `the server \`${start.name}\` did not start: ${why}` })
  }
}

const endedByQuestion = (cause: unknown): boolean =>
  cause instanceof SdkError && cause.code === SdkErrorCode.EraNegotiationFailed

async function shakeHands(
  { startMs, peer, input, older }: Start,
  transport: Transport,
  events: SessionEvents,
): Promise<Session> {
  const client = new Client(peer.info, {
    capabilities: peer.capabilities,
    versionNegotiation: { mode: older ? "legacy" : "auto", probe: { timeoutMs: Math.min(5000, startMs / 2) } },
  })
  const tap = new Tap(transport)
  let stands = false
  client.onclose = () => stands && events.ended()
  input.serve(client, peer)
  client.fallbackNotificationHandler = async ({ method, params = {} }) => {
    if (method.endsWith("/list_changed")) events.changed()
    peer.notified?.(method, params as JsonObject)
  }
  await client.connect(tap)
  stands = true
  await follow(client)
  const envelope = envelopeOf(client, peer)
  return { client, tap, envelope, older: envelope === undefined && "pid" in transport }
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
export const endOf = (transport: Transport): string | undefined =>
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
