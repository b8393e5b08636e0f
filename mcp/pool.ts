import type { Tool } from "@modelcontextprotocol/client"
import { Ajv2020 } from "ajv/dist/2020.js"
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
  readonly #ajv = new Ajv2020({ strict: false })
  readonly #checks = new WeakMap<Tool, (input: unknown) => boolean>()
  readonly #known = new Map<string, readonly Tool[]>()

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

  /** A tool as its server lists it, or undefined where it lists no such tool. */
  async tool(server: string, name: string): Promise<Tool | undefined> {
    const tools = await this.server(server).tools()
    this.#known.set(server, tools)
    return tools.find((tool) => tool.name === name)
  }

  /** The result as the server gave it. @throws OperationError */
  call(server: string, tool: string, args: JsonObject, options?: CallOptions): Promise<JsonObject> {
    return this.server(server).call(tool, args, options)
  }

  /** Whether an input fits what the tool is known to take; undefined where that is not known. */
  fits(server: string, name: string, input: JsonObject): boolean | undefined {
    const tool = this.#known.get(server)?.find((one) => one.name === name)
    if (!tool) return undefined
    let check = this.#checks.get(tool)
    if (!check) {
      check = this.#ajv.compile(tool.inputSchema) as (input: unknown) => boolean
      this.#checks.set(tool, check)
    }
    return check(input)
  }

  async close(): Promise<void> {
    await Promise.all([...this.#servers.values()].map((server) => server.close()))
  }
}
