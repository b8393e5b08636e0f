/** A server whose one tool answers with what it was told at the handshake, and tells something of its own that nobody knows. */
import { send, serve, text } from "./serve.mjs"

let told

serve({
  initialize: (params) => {
    told = params
    return {
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {}, tasks: { list: {} }, experimental: { "example.org/own": {} } },
      serverInfo: { name: "told", version: "1" },
    }
  },
  "tools/list": () => ({ tools: [{ name: "told", inputSchema: { type: "object" } }] }),
  "tools/call": () => {
    send({ method: "notifications/tasks/status", params: { taskId: "1", status: "working" } })
    return text(JSON.stringify(told))
  },
})
