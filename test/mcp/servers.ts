import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import type { ServerEntry } from "../../policy/policy.ts"

const require = createRequire(import.meta.url)

/** The program of a package that is a server, by its `package.json`. */
function server(file: string, ...args: string[]): ServerEntry {
  const { bin } = require(file) as { bin: Record<string, string> }
  return { command: [process.execPath, join(dirname(file), Object.values(bin)[0]!), ...args] }
}

/** The reference servers, as they are published. */
export const filesystem = (folder: string): ServerEntry =>
  server(require.resolve("@modelcontextprotocol/server-filesystem/package.json"), folder)
export const everything = (): ServerEntry =>
  server(require.resolve("@modelcontextprotocol/server-everything/package.json"))
export const memory = (): ServerEntry => server(require.resolve("@modelcontextprotocol/server-memory/package.json"))

/** A server that is written here, in a few lines of JavaScript: what no good server does. */
export const scripted = (source: string, ...args: string[]): ServerEntry => ({
  command: [process.execPath, fileURLToPath(new URL("scripted.mjs", import.meta.url)), source, ...args],
})
