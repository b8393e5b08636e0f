import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { StreamableHTTPClientTransport as NewHttp } from "@modelcontextprotocol/client"
import { StdioClientTransport as NewStdio } from "@modelcontextprotocol/client/stdio"
import { StdioClientTransport as OldStdio } from "@modelcontextprotocol/sdk/client/stdio.js"
import { StreamableHTTPClientTransport as OldHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type { JsonObject } from "../../../effects/json.ts"
import type { ServerEntry } from "../../../policy/policy.ts"
import { BIN } from "../clients.ts"
import type { Kind, Told } from "./driver.ts"

/** How a client reaches a server. */
export interface Way {
  /** the name under which the client sees a tool or a prompt of the server */
  wire(name: string): string
  /** what was told, without the differences that docs/mcp.md names */
  told(told: Told): Told
  transport(kind: Kind, entry: ServerEntry): Promise<object>
}

const asItIs = <T>(same: T): T => same

/** Lists under the servers' own names, without the gateway's own tool. */
function ownNames(told: Told): Told {
  const { result } = told.answer as { result?: { tools?: JsonObject[]; prompts?: JsonObject[] } }
  const own = (list: JsonObject[]) =>
    list.flatMap(({ name, ...rest }) => (name === "detent_call" ? [] : [{ name: String(name).slice(3), ...rest }]))
  if (result?.tools) return { ...told, answer: { result: { ...result, tools: own(result.tools) } } }
  return result?.prompts ? { ...told, answer: { result: { ...result, prompts: own(result.prompts) } } } : told
}

function stdio(kind: Kind, { command = [], env = {}, cwd }: ServerEntry): object {
  const [program = "", ...args] = command
  const parameters = {
    command: program,
    args,
    env: { PATH: process.env.PATH ?? "", ...env },
    stderr: "ignore" as const,
  }
  const there = cwd === undefined ? parameters : { ...parameters, cwd }
  return kind === "1.x" ? new OldStdio(there) : new NewStdio(there)
}

const http = (kind: Kind, url: string): object =>
  kind === "1.x" ? new OldHttp(new URL(url)) : new NewHttp(new URL(url))

function policyOf(servers: Readonly<Record<string, ServerEntry>>): {
  readonly folder: string
  readonly argv: string[]
} {
  const folder = mkdtempSync(join(tmpdir(), "detent-replay-"))
  const file = join(folder, "detent.json")
  writeFileSync(file, JSON.stringify({ version: 1, servers } satisfies JsonObject))
  return { folder, argv: [process.execPath, BIN, "mcp", "--policy", file] }
}

const started: ChildProcess[] = []

/** Ends the gateways that were started to be reached over HTTP. */
export function endAll(): void {
  for (const child of started.splice(0)) child.kill("SIGTERM")
}

function served([program = "", ...args]: readonly string[], folder: string): Promise<string> {
  const child = spawn(program, args, { cwd: folder, stdio: ["ignore", "ignore", "pipe"] })
  started.push(child)
  let said = ""
  return new Promise((resolve, reject) => {
    child.once("exit", () => reject(new Error(`the gateway ended: ${said}`)))
    child.stderr.on("data", (chunk: Buffer) => {
      said += chunk.toString("utf8")
      const [url] = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(said) ?? []
      if (url) resolve(url)
    })
  })
}

export const BARE: Way = {
  wire: asItIs,
  told: asItIs,
  transport: async (kind, entry) => (entry.url === undefined ? stdio(kind, entry) : http(kind, entry.url)),
}

export const WAYS = {
  "over stdio, in its place": {
    wire: asItIs,
    told: asItIs,
    transport: async (kind, entry) => {
      const { folder, argv } = policyOf({ s: entry })
      return stdio(kind, { command: [...argv, "--server", "s"], cwd: folder })
    },
  },
  "over stdio, as one of many": {
    wire: (name) => `s__${name}`,
    told: ownNames,
    transport: async (kind, entry) => {
      const { folder, argv } = policyOf({ s: entry })
      return stdio(kind, { command: argv, cwd: folder })
    },
  },
  "over HTTP, in its place": {
    wire: asItIs,
    told: asItIs,
    transport: async (kind, entry) => {
      const { folder, argv } = policyOf({ s: entry })
      return http(kind, await served([...argv, "--server", "s", "--port", "0"], folder))
    },
  },
} as const satisfies Record<string, Way>
