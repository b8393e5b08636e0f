import { isObject, type JsonObject } from "../effects/json.ts"
import type { OperationFn } from "../engine/around.ts"
import { OperationError } from "../engine/errors.ts"
import type { Ports } from "../engine/ports.ts"
import type { Pool } from "../mcp/pool.ts"
import type { Policy } from "../policy/policy.ts"
import type { Io } from "./io.ts"

/** The servers of a policy, for an engine and for calls; what speaks to them is read when the first is needed. */
export interface Servers {
  readonly ports: { readonly call: NonNullable<Ports["call"]>; readonly fits: NonNullable<Ports["fits"]> }
  pool(): Promise<Pool>
  close(): Promise<void>
}

export function serversOf({ servers }: Policy, io: Io): Servers {
  let opening: Promise<Pool> | undefined
  let open: Pool | undefined
  const pool = async (): Promise<Pool> => {
    opening ??= import("../mcp/pool.ts").then(({ Pool }) => {
      open = new Pool({ servers, cwd: io.cwd, env: io.env })
      return open
    })
    return opening
  }
  return {
    ports: {
      call: async (server, tool, args, meta, signal) =>
        (await pool()).call(server, tool, args, { meta, signal: signal as AbortSignal | undefined }),
      fits: (server, tool, input) => open?.fits(server, tool, input),
    },
    pool,
    close: async () => (await opening)?.close(),
  }
}

/** What is known of a call before it is sent: the server's own annotations of the tool. */
export async function eventOfCall(
  servers: Servers,
  server: string,
  tool: string,
  args: JsonObject,
): Promise<JsonObject & { readonly server: string; readonly tool: string }> {
  const known = await (await servers.pool()).tool(server, tool).catch((cause: unknown) => {
    // A server that does not start fails the call, after the hooks have had their say.
    if (cause instanceof OperationError) return undefined
    throw cause
  })
  return { server, tool, args, ...(known?.annotations ? { annotations: { ...known.annotations } } : {}) }
}

/** Sends what the hooks have left of a call. */
export const sender =
  (servers: Servers, server: string, tool: string): OperationFn =>
  async (input, { meta, signal, exit }) => {
    const result = await servers.ports.call(server, tool, input as JsonObject, meta, signal)
    if (isObject(result) && result.isError === true) exit(1)
    return result
  }
