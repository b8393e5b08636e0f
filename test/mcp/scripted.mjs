/**
 * A server with one tool, `do`, whose manners are the body of a function of `({ id, params, send, text })`; `send` writes a message,
 * `text` answers with one. Handshake and listing are as they should be, unless the manners are `"silent"`.
 */
import { createInterface } from "node:readline"

const [, , source, ...args] = process.argv
const act = new Function("call", `return (async ({ id, params, send, text, args }) => {${source}})(call)`)
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line)
  if (source === "silent") return
  if (method === "initialize") {
    const result = {
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: "scripted", version: "1" },
    }
    send({ id, result })
  } else if (method === "tools/list") {
    // Two pages: a client that reads one has missed the tool.
    const other = { name: "other", inputSchema: { type: "object" } }
    const tool = { name: "do", inputSchema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] } }
    send({ id, result: params?.cursor === "2" ? { tools: [tool] } : { tools: [other], nextCursor: "2" } })
  } else if (method === "tools/call") {
    const text = (value) => send({ id, result: { content: [{ type: "text", text: value }] } })
    void act({ id, params, send, text, args })
  } else if (id !== undefined) send({ id, error: { code: -32601, message: `no ${method}` } })
})
