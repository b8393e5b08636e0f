import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { JsonObject } from "../../effects/json.ts"
import { BIN } from "./clients.ts"

/** A gateway that is reached over HTTP. */
export interface Serving {
  readonly url: string
  readonly folder: string
  stderr(): string
  /** ends it as an operator does. @returns its exit code */
  close(): Promise<number | null>
}

/** Starts `detent mcp --port` before the servers of a policy, and waits until it listens. */
export async function serving(policy: JsonObject, words: readonly string[] = []): Promise<Serving> {
  const folder = mkdtempSync(join(tmpdir(), "detent-serving-"))
  writeFileSync(join(folder, "detent.json"), JSON.stringify({ version: 1, ...policy }))
  const argv = [BIN, "mcp", "--policy", "detent.json", "--port", "0", ...words]
  const child: ChildProcess = spawn(process.execPath, argv, { cwd: folder, stdio: ["ignore", "ignore", "pipe"] })
  let said = ""
  const url = await new Promise<string>((resolve, reject) => {
    child.once("exit", () => reject(new Error(`the gateway ended: ${said}`)))
    child.stderr!.on("data", (chunk: Buffer) => {
      said += chunk.toString("utf8")
      const [found] = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(said) ?? []
      if (found) resolve(found)
    })
  })
  return {
    url,
    folder,
    stderr: () => said,
    close: async () => {
      const gone = new Promise<number | null>((resolve) => child.once("exit", resolve))
      child.kill("SIGTERM")
      return gone
    },
  }
}
