import type { Tool } from "@modelcontextprotocol/client"
import { fitsOf } from "../actions/fits.ts"
import type { Environment } from "../actions/run/environment.ts"
import type { JsonObject } from "../effects/json.ts"
import { OperationError } from "../engine/errors.ts"
import { nearest } from "../policy/nearest.ts"
import type { ServerEntry } from "../policy/policy.ts"
import { transportOf } from "./reach.ts"
import { type CallOptions, Server } from "./server.ts"

export interface PoolOptions {
  readonly servers: Readonly<Record<string, ServerEntry>>
  /** where relative folders of servers start */
  readonly cwd: string
  /** what servers get an allow-list of, and where `env:NAME` is looked up */
  readonly env: Environment
}

/** The servers of a policy, each started when it is first needed. */
export class Pool {
  readonly #options: PoolOptions
  readonly #servers = new Map<string, Server>()
  readonly #listed = new Map<
    string,
    { readonly tools: readonly Tool[]; readonly fits: Awaited<ReturnType<typeof fitsOf>> }
  >()

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
    const server = new Server(name, () => transportOf(name, entry, cwd, env))
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

  /** A tool as its server lists it, or undefined where it lists no such tool. From here on `fits` knows the server's tools. */
  async tool(server: string, name: string): Promise<Tool | undefined> {
    const tools = await this.server(server).tools()
    if (this.#listed.get(server)?.tools !== tools) {
      const named = tools.map((tool) => [`${server}/${tool.name}`, { inputSchema: { ...tool.inputSchema } }] as const)
      this.#listed.set(server, { tools, fits: await fitsOf(Object.fromEntries(named)) })
    }
    return tools.find((tool) => tool.name === name)
  }

  /** The result as the server gave it. @throws OperationError */
  call(server: string, tool: string, args: JsonObject, options?: CallOptions): Promise<JsonObject> {
    return this.server(server).call(tool, args, options)
  }

  /** Whether an input fits what the tool is known to take; undefined where that is not known. */
  fits(server: string, tool: string, input: JsonObject): boolean | undefined {
    return this.#listed.get(server)?.fits(server, tool, input)
  }

  async close(): Promise<void> {
    await Promise.all([...this.#servers.values()].map((server) => server.close()))
  }
}
