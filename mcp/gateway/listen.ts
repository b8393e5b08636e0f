import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { getRequestListener } from "@hono/node-server"
import type { HttpGateway } from "./http.ts"

const LOOPBACK = "127.0.0.1"

/**
 * Serves over HTTP at `/mcp` of the loopback interface until the signal is aborted.
 *
 * @param onListening gets the address once it is served
 * @throws the system's error where the port cannot be had.
 */
export async function listen(
  port: number,
  gateway: HttpGateway,
  onListening: (url: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const respond = getRequestListener((request) =>
    new URL(request.url).pathname === "/mcp" ? gateway.fetch(request) : new Response("not found", { status: 404 }),
  )
  const server = createServer((request, response) => void respond(request, response))
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, LOOPBACK, resolve)
  })
  onListening(`http://${LOOPBACK}:${(server.address() as AddressInfo).port}/mcp`)
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }))
  const closed = new Promise((resolve) => server.close(resolve))
  await gateway.close()
  server.closeAllConnections()
  await closed
}
