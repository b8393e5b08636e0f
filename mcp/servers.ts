import { isObject, type JsonObject } from "../effects/json.ts"
import type { OperationFn } from "../engine/around.ts"
import type { Engine } from "../engine/engine.ts"
import { OperationError } from "../engine/errors.ts"
import type { Ports } from "../engine/ports.ts"
import type { Frame } from "../frames/frames.ts"
import type { Policy, ServerEntry } from "../policy/policy.ts"
import { ownAnnotations } from "../policy/tools.ts"
import type { Peer } from "./peer.ts"
import type { Pool, PoolOptions } from "./pool.ts"

type ServerPorts = Pick<Ports, "call" | "fits" | "fitsResult" | "annotations" | "down">

/** The servers of a policy, for an engine and for calls; what speaks to them is read when the first is needed. */
export interface Servers {
  readonly ports: { readonly [K in keyof ServerPorts]-?: NonNullable<ServerPorts[K]> }
  /** lets the engine's hooks on `server.start` have their say, from here on */
  standUnder(engine: Engine): void
  pool(): Promise<Pool>
  /** Starts the servers whose manifests have hooks; one that does not start is told, and tried again when it is needed. */
  eager(policy: Pick<Policy, "hooks">, told: (text: string) => void): void
  close(): Promise<void>
}

export interface ServersOptions {
  /** whom the servers speak to; absent: somebody who answers nothing */
  readonly peer?: (server: string) => Peer
  readonly onStarted?: (server: string) => void
  /** makes what is told of the hooks on a server's start, which belongs to no call */
  readonly teller?: () => Promise<(frame: Frame) => void>
}

export function serversOf(
  { servers }: Policy,
  { cwd, env }: Pick<PoolOptions, "cwd" | "env">,
  { peer, onStarted, teller }: ServersOptions = {},
): Servers {
  let opening: Promise<Pool> | undefined
  let open: Pool | undefined
  let engine: Engine | undefined
  const gate = async (server: string, start: () => Promise<void>): Promise<void> => {
    if (engine) await startThrough(engine, server, start, teller)
    else await start()
    onStarted?.(server)
  }
  const pool = async (): Promise<Pool> => {
    opening ??= import("./pool.ts").then(({ Pool }) => {
      open = new Pool({ servers: reached(servers), cwd, env, gate, ...(peer && { peer }) })
      return open
    })
    return opening
  }
  const down = async (server: string): Promise<string | undefined> => (await pool()).down(server)
  return {
    ports: {
      down,
      call: async (server, tool, args, meta, signal) => (await pool()).call(server, tool, args, { meta, signal }),
      fits: (server, tool, input) => open?.fits(server, tool, input),
      fitsResult: (server, tool, structured) => open?.fitsResult(server, tool, structured),
      annotations: async (server, tool) => {
        const entry = Object.hasOwn(servers, server) ? servers[server] : undefined
        return entry && isReached(entry) ? annotationsOf(await pool(), server, tool) : ownAnnotations(server, tool)
      },
    },
    standUnder: (one) => {
      engine = one
    },
    pool,
    eager: ({ hooks }, told) => {
      for (const server of new Set(hooks.flatMap((hook) => (hook?.enabled && hook.grant?.server) || []))) {
        void down(server).then((why) => why !== undefined && told(`the hooks of \`${server}\` cannot run: ${why}`))
      }
    },
    close: async () => (await opening)?.close(),
  }
}

/** One that is only annotated is an agent's, or the agent itself: nothing reaches it from here. */
const isReached = ({ command, url }: ServerEntry): boolean => command !== undefined || url !== undefined

const reached = (servers: Policy["servers"]): Policy["servers"] =>
  Object.fromEntries(Object.entries(servers).filter(([, entry]) => isReached(entry)))

async function startThrough(
  engine: Engine,
  server: string,
  start: () => Promise<void>,
  teller: ServersOptions["teller"],
): Promise<void> {
  const onFrame = await teller?.()
  const { error } = await engine.around("server.start", { server }, start, onFrame ? { onFrame } : {})
  if (error) throw new OperationError(error)
}

/** The server's own annotations of a tool; undefined where it gives none, or does not start. */
async function annotationsOf(pool: Pool, server: string, tool: string): Promise<JsonObject | undefined> {
  const known = await pool.tool(server, tool).catch((cause: unknown) => {
    // A server that does not start fails the call, after the hooks have had their say.
    if (cause instanceof OperationError) return undefined
    throw cause
  })
  return known?.annotations && { ...known.annotations }
}

/** What is known of a call before it is sent: the server's own annotations of the tool. */
export async function eventOfCall(
  servers: Servers,
  server: string,
  tool: string,
  args: JsonObject,
): Promise<JsonObject & { readonly server: string; readonly tool: string }> {
  const annotations = await annotationsOf(await servers.pool(), server, tool)
  return { server, tool, args, ...(annotations ? { annotations } : {}) }
}

/** Sends what the hooks have left of a call. */
export const sender =
  (servers: Servers, server: string, tool: string): OperationFn =>
  async (input, { meta, signal, exit }) => {
    const result = await servers.ports.call(server, tool, input as JsonObject, meta, signal)
    if (isObject(result) && result.isError === true) exit(1)
    return result
  }
