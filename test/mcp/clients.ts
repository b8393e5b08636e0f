import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Client, type ClientCapabilities } from "@modelcontextprotocol/client"
import { getDefaultEnvironment, StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import type { JsonObject } from "../../effects/json.ts"

/** The built command line. */
export const BIN = fileURLToPath(new URL("../../dist/bin.cjs", import.meta.url))

/** The revisions that a client begins with. */
export type Mode = "legacy" | "auto"

export interface ClientChoice {
  readonly mode?: Mode
  readonly capabilities?: ClientCapabilities
  readonly words?: readonly string[]
  /** more files of the policy's folder */
  readonly files?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
}

/** A client of the official SDK before `detent mcp`, and what the gateway said on stderr. */
export interface Driven {
  readonly client: Client
  readonly folder: string
  stderr(): string
}

/** Writes a policy into a folder of its own, and connects a client to the gateway before its servers. */
export async function throughGateway(policy: JsonObject, choice: ClientChoice = {}): Promise<Driven> {
  const { mode = "legacy", capabilities = {}, words = [], files = {}, env = {} } = choice
  const folder = mkdtempSync(join(tmpdir(), "detent-gateway-"))
  const file = join(folder, "detent.json")
  writeFileSync(file, JSON.stringify({ version: 1, ...policy }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const client = new Client({ name: "test", version: "1" }, { capabilities, versionNegotiation: { mode } })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BIN, "mcp", "--policy", file, ...words],
    cwd: folder,
    env: { ...getDefaultEnvironment(), ...env },
    stderr: "pipe",
  })
  let said = ""
  transport.stderr?.on("data", (chunk: Buffer) => {
    said += chunk.toString("utf8")
  })
  await client.connect(transport)
  return { client, folder, stderr: () => said }
}
