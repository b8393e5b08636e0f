import { createInterface } from "node:readline"

export const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)

export const text = (words, more = {}) => ({ content: [{ type: "text", text: words }], ...more })

/** An error of JSON-RPC, to throw. */
export const fault = (code, message, data) => ({ code, message, data })

/**
 * Serves requests a line: `answers` has, by method, a function of `(params, id)` that gives the result, or throws a `fault`.
 * The handshake is as it should be where nothing else is said.
 */
export function serve(answers, capabilities = { tools: {} }) {
  const initialize = ({ protocolVersion }) => ({
    protocolVersion,
    capabilities,
    serverInfo: { name: "stub", version: "1" },
  })
  const all = { initialize, ping: () => ({}), ...answers }
  createInterface({ input: process.stdin }).on("line", async (line) => {
    const { id, method, params = {} } = JSON.parse(line)
    if (id === undefined) return
    try {
      if (!Object.hasOwn(all, method)) throw fault(-32601, `no ${method}`)
      const result = await all[method](params, id)
      if (result !== undefined) send({ id, result })
    } catch ({ code, message, data }) {
      send({ id, error: { code, message, data } })
    }
  })
}
