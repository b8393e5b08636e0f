import type { Tool } from "@modelcontextprotocol/client"
import type { Environment } from "../actions/run/environment.ts"
import type { JsonObject } from "../effects/json.ts"
import { OperationError } from "../engine/errors.ts"
import { nearest } from "../policy/nearest.ts"
import type { ServerEntry } from "../policy/policy.ts"
import type { Limits } from "./limits.ts"
import { type Listed, listed } from "./listed.ts"
import type { Peer } from "./peer.ts"
import { transportOf } from "./reach.ts"
import { type RequestOptions, Server } from "./server.ts"

export interface PoolOptions {
  readonly servers: Readonly<Record<string, ServerEntry>>
  /** where relative folders of servers start */
  readonly cwd: string
  /** what servers get an allow-list of, and where `env:NAME` is looked up */
  readonly env: Environment
  /** whom the servers speak to */
  readonly peer?: (server: string) => Peer
  /** stands around each start of a server: hooks may refuse it */
  readonly gate?: (server: string, start: () => Promise<void>) => Promise<void>
}

const limitsOf = ({ startMs, timeoutMs, concurrency }: ServerEntry): Partial<Limits> => ({
  ...(startMs !== undefined && { startMs }),
  ...(timeoutMs !== undefined && { requestMs: timeoutMs }),
  ...(concurrency !== undefined && { concurrency }),
})

/** Milliseconds for which a server that did not start is left alone. */
const AGAIN_MS = 1000

/** The servers of a policy, each started when it is first needed. */
export class Pool {
  readonly #options: PoolOptions
  readonly #servers = new Map<string, Server>()
  readonly #listed = new Map<string, Listed>()
  readonly #failed = new Map<string, { readonly at: number; readonly why: string }>()

  constructor(options: PoolOptions) {
    this.#options = options
  }

  /** @throws OperationError where the policy has no such server. */
  server(name: string): Server {
    const known = this.#servers.get(name)
    if (known) return known
    const { servers, cwd, env } = this.#options
    const entry = Object.hasOwn(servers, name) ? servers[name] : undefined
    if (!entry) throw new OperationError({ code: "unavailable", message: this.#unknown(name) })
    const { peer, gate } = this.#options
    const server = new Server(name, {
      open: () => transportOf(name, entry, cwd, env),
      limits: limitsOf(entry),
      ...(peer && { peer: () => peer(name) }),
      ...(gate && { gate: (start) => gate(name, start) }),
    })
    this.#servers.set(name, server)
    return server
  }

  #unknown(name: string): string {
    const names = Object.keys(this.#options.servers)
    const near = nearest(name, names)
    const hint = near
      ? `did you mean \`${near}\`?`
      : names.length > 0
        ? `they are ${names.join(", ")}`
        : "it names none"
    return `the policy has no server \`${name}\`; ${hint}`
  }

  /** Starts a server that is not there, and answers why it still is not; undefined: its session lives. */
  async down(name: string): Promise<string | undefined> {
    const server = this.server(name)
    const failed = this.#failed.get(name)
    if (!server.lives && failed && performance.now() - failed.at < AGAIN_MS) return failed.why
    try {
      await server.about()
      this.#failed.delete(name)
      return undefined
    } catch (cause) {
      const why = (cause as Error).message
      this.#failed.set(name, { at: performance.now(), why })
      return why
    }
  }

  /** A tool as its server lists it, or undefined where it lists no such tool. From here on `fits` knows the server's tools. */
  async tool(server: string, name: string): Promise<Tool | undefined> {
    const tools = await this.server(server).tools()
    if (this.#listed.get(server)?.tools !== tools) {
      this.#listed.set(server, await listed(server, tools))
    }
    return tools.find((tool) => tool.name === name)
  }

  /** The result as the server gave it. @throws OperationError */
  call(server: string, tool: string, args: JsonObject, options?: RequestOptions): Promise<JsonObject> {
    return this.server(server).call(tool, args, options)
  }

  /** The names of all servers. */
  get names(): readonly string[] {
    return Object.keys(this.#options.servers)
  }

  /** Whether a result's structured part fits what the tool promises; undefined where it promises nothing, or is not known. */
  fitsResult(server: string, tool: string, structured: unknown): boolean | undefined {
    return this.#listed.get(server)?.promises(server, tool, structured as JsonObject)
  }

  /** Whether an input fits what the tool is known to take; undefined where that is not known. */
  fits(server: string, tool: string, input: JsonObject): boolean | undefined {
    return this.#listed.get(server)?.fits(server, tool, input)
  }

  async close(): Promise<void> {
    await Promise.all([...this.#servers.values()].map((server) => server.close()))
  }
}
