import { spawn } from "node:child_process"
import { createServer, type IncomingHttpHeaders, request } from "node:http"
import { createRequire } from "node:module"
import type { AddressInfo } from "node:net"
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

/**
 * The server `everything` over Streamable HTTP, behind a door that shows the headers of each request.
 *
 * @param onRequest gets them before the server does
 */
export async function httpServer(
  onRequest: (headers: IncomingHttpHeaders) => void,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const [program = "", ...args] = everything().command ?? []
  const port = await freePort()
  const child = spawn(program, [...args, "streamableHttp"], {
    env: { PATH: process.env.PATH, PORT: String(port) },
    stdio: ["ignore", "ignore", "pipe"],
  })
  // It says on stderr that it listens.
  await new Promise((resolve) => child.stderr.once("data", resolve))
  const door = createServer((asked, answered) => {
    onRequest(asked.headers)
    const { method, url: path, headers } = asked
    const passed = request({ host: "127.0.0.1", port, method, path, headers }, (response) => {
      answered.writeHead(response.statusCode ?? 500, response.headers)
      response.pipe(answered)
    })
    passed.on("error", () => answered.destroy())
    asked.pipe(passed)
  })
  await new Promise<void>((resolve) => door.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(door.address() as AddressInfo).port}/mcp`,
    async close() {
      door.closeAllConnections()
      door.close()
      child.kill("SIGKILL")
    },
  }
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}

/** A server that brings hooks along: `test/mcp/plugin.mjs`. */
export const plugin = (...args: string[]): ServerEntry => ({
  command: [process.execPath, fileURLToPath(new URL("plugin.mjs", import.meta.url)), ...args],
})

/** A server that is written here, in a few lines of JavaScript: what no good server does. */
export const scripted = (source: string, ...args: string[]): ServerEntry => ({
  command: [process.execPath, fileURLToPath(new URL("scripted.mjs", import.meta.url)), source, ...args],
})

/** A server of `stubs/`, each of which has a fault of its own. */
export const stub = (name: string, ...args: string[]): ServerEntry => ({
  command: [process.execPath, fileURLToPath(new URL(`stubs/${name}.mjs`, import.meta.url)), ...args],
})
