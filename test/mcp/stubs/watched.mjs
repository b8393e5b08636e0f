/** A server with one resource: `touch` tells those who follow it, and answers with the level of its log; `die` ends the server. */
import { send, serve, text } from "./serve.mjs"

const followed = new Set()
let level = "none"
const inputSchema = { type: "object" }

serve({
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {}, logging: {}, resources: { subscribe: true } },
    serverInfo: { name: "watched", version: "1" },
  }),
  "tools/list": () => ({ tools: ["touch", "die"].map((name) => ({ name, inputSchema })) }),
  "resources/list": () => ({ resources: [{ uri: "test://one", name: "one" }] }),
  "resources/templates/list": () => ({ resourceTemplates: [] }),
  "resources/subscribe": ({ uri }) => {
    followed.add(uri)
    return {}
  },
  "resources/unsubscribe": ({ uri }) => {
    followed.delete(uri)
    return {}
  },
  "logging/setLevel": (params) => {
    level = params.level
    return {}
  },
  "tools/call": ({ name }) => {
    if (name === "die") process.exit(3)
    for (const uri of followed) send({ method: "notifications/resources/updated", params: { uri } })
    return text(level)
  },
})
