import { appendFileSync } from "node:fs"
import { resolve } from "node:path"
import { withCallHooks } from "../../actions/call-hooks.ts"
import type { JsonObject } from "../../effects/json.ts"
import type { Ports } from "../../engine/ports.ts"
import type { Frame } from "../../frames/frames.ts"
import { Clients } from "../../mcp/gateway/clients.ts"
import { Gateway } from "../../mcp/gateway/gateway.ts"
import { HttpGateway } from "../../mcp/gateway/http.ts"
import { listen } from "../../mcp/gateway/listen.ts"
import { ownTools } from "../../mcp/gateway/own.ts"
import { serveClient } from "../../mcp/gateway/stdio.ts"
import { nearest } from "../../policy/nearest.ts"
import type { Hook, Policy } from "../../policy/policy.ts"
import { settingOf } from "../../policy/said.ts"
import { readCaller } from "../caller.ts"
import type { Call } from "../command.ts"
import { withEngine } from "../engine.ts"
import { CommandError } from "../errors.ts"
import { tellObserved } from "../observed.ts"
import { policyOf } from "../policy.ts"
import { hookTeller } from "../told.ts"

/** Serves one MCP client at stdin and stdout until it is gone, or many over HTTP until a signal ends it. */
export async function run(call: Call): Promise<number> {
  const { given, io } = call
  const { policy } = await policyOf(call)
  const caller = readCaller(given.value("caller"))
  const only = onlyServer(policy, given.value("server"))
  const onFault = (text: string): void => io.err.line(`detent: ${text}`)
  const clients = new Clients(onFault)
  const port = portOf(given.value("port"))
  const onFrame = await frameSink(call)
  let gateway: Gateway | undefined
  const choice = {
    record: "long" as const,
    onObserved: tellObserved(io),
    peer: (server: string) => {
      const peer = clients.peer(server, only !== undefined)
      const notified = (method: string, params: JsonObject): void => {
        if (method.endsWith("/list_changed")) gateway?.catalog.changed()
        peer.notified?.(method, params)
      }
      return { ...peer, notified }
    },
    onStarted: () => gateway?.catalog.changed(),
  }
  await withEngine(call, policy, choice, async (engine, servers, like) => {
    const withHooks = (hooks: readonly Hook[]) => like(withCallHooks(policy, hooks))
    const own =
      only === undefined
        ? ownTools({ place: io, engine, servers, policy: () => policy, gateway: () => gateway!, withHooks })
        : []
    const pool = await servers.pool()
    servers.eager(policy, onFault)
    const serve = async (ask?: Ports["ask"]): Promise<void> => {
      gateway = new Gateway({ engine, pool, only, own, caller, ask, onFrame })
      const leaving = new AbortController()
      const leave = (): void => leaving.abort()
      process.once("SIGINT", leave).once("SIGTERM", leave)
      const { signal } = leaving
      if (port !== undefined) return overHttp(call, port, new HttpGateway({ gateway, clients, onFault }), signal)
      const { stdin, stdout } = process
      await serveClient({ gateway, clients, stdin, stdout, onFault, signal })
    }
    if (!settingOf(policy, "mcp.approvals")) return serve()
    const { withApprovals } = await import("./approvals.ts")
    return withApprovals(call, policy, { engine, servers }, serve)
  })
  return 0
}

/** @throws CommandError where the policy has no such server, or none at all. */
function onlyServer({ servers }: Policy, name: string | undefined): string | undefined {
  const names = Object.keys(servers)
  if (names.length === 0) throw new CommandError("the policy in force names no servers", "write them under `servers`")
  if (name === undefined || names.includes(name)) return name
  const near = nearest(name, names)
  const hint = near === undefined ? `the servers are ${names.join(", ")}` : `did you mean \`${near}\`?`
  throw new CommandError(`the policy has no server \`${name}\``, hint)
}

/** Where frames go: what hooks did to stderr, and all of them to the file that was named. */
async function frameSink({ given, io }: Call): Promise<(frame: Frame) => void> {
  const tell = await hookTeller(io)
  const name = given.value("frames")
  if (name === undefined) return tell
  const file = resolve(io.cwd, name)
  const add = (text: string): void => {
    try {
      appendFileSync(file, text)
    } catch (cause) {
      throw new CommandError(`frames cannot be written to \`${name}\`: ${(cause as Error).message}`)
    }
  }
  // A file that cannot be written is found before the first call, not in it.
  add("")
  return (frame) => {
    add(`${JSON.stringify(frame)}\n`)
    tell(frame)
  }
}

/** @throws CommandError on what is no port. */
function portOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new CommandError(`\`${text}\` is no port`, "give a number up to 65535; 0 takes any free one")
}

/** @throws CommandError where the port cannot be had. */
async function overHttp({ io }: Call, port: number, gateway: HttpGateway, signal: AbortSignal): Promise<void> {
  try {
    await listen(port, gateway, (url) => io.err.line(`detent: MCP at ${url}`), signal)
  } catch (cause) {
    throw new CommandError(`port ${port} cannot be listened on: ${(cause as Error).message}`)
  }
}
