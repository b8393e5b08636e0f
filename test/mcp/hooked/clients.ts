import { fileURLToPath } from "node:url"
import { Client as Client2 } from "@modelcontextprotocol/client"
import { StdioClientTransport as Stdio2 } from "@modelcontextprotocol/client/stdio"
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport as Stdio1 } from "@modelcontextprotocol/sdk/client/stdio.js"
import { afterAll } from "vitest"
import type { JsonObject } from "../../../effects/json.ts"
import type { HookedOptions } from "../../../mcp/hooked/options.ts"
import { withHooks } from "../../../mcp/hooked/with-hooks.ts"
import type { ServerEntry } from "../../../policy/policy.ts"

const INFO = { name: "test", version: "1" }

/** What the tests use of a client, whichever SDK it is of. */
export interface AnyClient {
  connect(transport: unknown): Promise<unknown>
  callTool(params: JsonObject, ...rest: unknown[]): Promise<JsonObject>
  listTools(params?: JsonObject, ...rest: unknown[]): Promise<{ tools: { name: string; title?: string }[] }>
  readResource(params: JsonObject, ...rest: unknown[]): Promise<JsonObject>
  getPrompt(params: JsonObject, ...rest: unknown[]): Promise<JsonObject>
  request(request: JsonObject, ...rest: unknown[]): Promise<JsonObject>
  ping(): Promise<unknown>
  getServerVersion(): unknown
  close(): Promise<void>
  onclose?: (() => void) | undefined
}

/** The official SDK's clients: both generations, and the newer one in both eras of the protocol. */
export interface Kind {
  readonly era: "legacy" | "modern"
  readonly generation: 1 | 2
  client(): AnyClient
  stdio(command: readonly string[]): Transport
  /** where options stand behind the parameters of `callTool` */
  options(options: object): readonly unknown[]
}

/** A transport whose messages can be looked at. */
export interface Transport {
  send(message: JsonObject, ...rest: unknown[]): Promise<void>
}

const second = (mode: "legacy" | "auto"): Omit<Kind, "era"> => ({
  generation: 2,
  client: () => new Client2(INFO, { versionNegotiation: { mode } }) as unknown as AnyClient,
  stdio: ([command = "", ...args]) => new Stdio2({ command, args, stderr: "ignore" }) as unknown as Transport,
  options: (options) => [options],
})

export const KINDS: readonly (readonly [string, Kind])[] = [
  ["a 2.x client in the era of 2025", { era: "legacy", ...second("legacy") }],
  ["a 2.x client in the era of 2026", { era: "modern", ...second("auto") }],
  [
    "a 1.x client",
    {
      era: "legacy",
      generation: 1,
      client: () => new Client1(INFO) as unknown as AnyClient,
      stdio: ([command = "", ...args]) => new Stdio1({ command, args, stderr: "ignore" }) as unknown as Transport,
      options: (options) => [undefined, options],
    },
  ],
]

/** A server that does all that a server can, in both eras. */
export const ALL_OF_IT: ServerEntry = {
  command: [
    process.execPath,
    fileURLToPath(new URL("../../../fixtures/servers/conformance.mjs", import.meta.url)),
    "--stdio",
  ],
}

/** A client, connected to a real server over stdio, and the methods that were sent since the last look. */
interface Connected {
  readonly raw: AnyClient
  readonly sent: string[]
}

export interface Driven extends Connected {
  readonly client: AnyClient
}

const open: AnyClient[] = []
afterAll(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()))
})

async function connected(kind: Kind, { command = [] }: ServerEntry, client?: AnyClient): Promise<Connected> {
  const raw = client ?? kind.client()
  const transport = kind.stdio(command)
  await raw.connect(transport)
  open.push(raw)
  const sent: string[] = []
  const send = transport.send.bind(transport)
  transport.send = (message, ...rest) => {
    sent.push(String(message.method))
    return send(message, ...rest)
  }
  return { raw, sent }
}

/** One connection for each kind of client: a client may be wrapped many times. */
const shared = new Map<Kind, Promise<Connected>>()

/** A client with hooks around it, on a connection that tests share. */
export async function hooked(kind: Kind, options: Partial<HookedOptions> = {}): Promise<Driven> {
  const connection = shared.get(kind) ?? connected(kind, ALL_OF_IT)
  shared.set(kind, connection)
  const { raw, sent } = await connection
  sent.length = 0
  return { raw, sent, client: await withHooks(raw, { server: "s", ...options }) }
}

/** The same with a server and a connection of its own, which the hooks have seen begin. */
export async function alone(
  kind: Kind,
  options: Partial<HookedOptions> = {},
  server: ServerEntry = ALL_OF_IT,
): Promise<Driven> {
  const raw = kind.client()
  const client = await withHooks(raw, { server: "s", ...options })
  const { sent } = await connected(kind, server, client)
  return { raw, sent, client }
}

/** What a promise is rejected with. */
export const rejection = (promise: Promise<unknown>): Promise<Record<string, unknown> & Error> =>
  promise.then(
    (value) => Promise.reject(new Error(`it was answered: ${JSON.stringify(value)}`)),
    (cause) => cause,
  )

export const text = (said: string) => ({ content: [{ type: "text", text: said }] })

export const never = () => new Promise<never>(() => {})
