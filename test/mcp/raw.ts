import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import type { JsonObject } from "../../effects/json.ts"
import { BIN } from "./clients.ts"

/** A message of the gateway's, as it came. */
export interface Message extends JsonObject {
  readonly id?: string | number | null
  readonly method?: string
  readonly params?: JsonObject
  readonly result?: JsonObject & { content?: { text: string }[] }
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

/** A client of `detent mcp` without any SDK: each line is written as it is given, and read as it comes. */
export class RawClient {
  readonly folder: string
  readonly said: Message[] = []
  stderr = ""
  readonly #child: ChildProcess
  #told = new Set<() => void>()
  #last = 0

  private constructor(folder: string, child: ChildProcess) {
    this.folder = folder
    this.#child = child
    child.stderr!.on("data", (chunk: Buffer) => {
      this.stderr += chunk.toString("utf8")
    })
    createInterface({ input: child.stdout! }).on("line", (line) => {
      this.said.push(JSON.parse(line) as Message)
      for (const look of this.#told) look()
    })
  }

  /** Starts the gateway before the servers of a policy, and shakes hands. */
  static async start(policy: JsonObject, words: readonly string[] = [], capabilities = {}): Promise<RawClient> {
    const folder = mkdtempSync(join(tmpdir(), "detent-raw-"))
    writeFileSync(join(folder, "detent.json"), JSON.stringify({ version: 1, ...policy }))
    const argv = [BIN, "mcp", "--policy", "detent.json", ...words]
    const client = new RawClient(folder, spawn(process.execPath, argv, { cwd: folder, stdio: "pipe" }))
    const clientInfo = { name: "raw", version: "1" }
    await client.request("initialize", { protocolVersion: "2025-11-25", capabilities, clientInfo })
    client.write(JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }))
    return client
  }

  /** Writes a line, whatever it holds. */
  write(text: string): void {
    this.#child.stdin!.write(`${text}\n`)
  }

  /** The answer to a request under the given id, or the next. */
  async request(method: string, params: JsonObject = {}, id: string | number = `r${++this.#last}`): Promise<Message> {
    this.write(JSON.stringify({ jsonrpc: "2.0", id, method, params }))
    return this.until((message) => message.id === id && message.method === undefined)
  }

  call = (name: string, args: JsonObject = {}, more: JsonObject = {}): Promise<Message> =>
    this.request("tools/call", { name, arguments: args, ...more })

  /** The first message that fits, of those that came or will come. */
  until(fits: (message: Message) => boolean): Promise<Message> {
    return new Promise((resolve) => {
      const look = (): void => {
        const found = this.said.find(fits)
        if (!found) return
        this.#told.delete(look)
        resolve(found)
      }
      this.#told.add(look)
      look()
    })
  }

  async close(): Promise<void> {
    const gone = new Promise((resolve) => this.#child.once("exit", resolve))
    this.#child.stdin!.end()
    await gone
  }
}
