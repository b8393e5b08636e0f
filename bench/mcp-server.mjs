// What `gateway.bench.ts` calls: a server of one tool, which answers with as many bytes as it is asked for.
import { Server } from "@modelcontextprotocol/server"
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio"

const inputSchema = {
  type: "object",
  properties: { path: { type: "string" }, content: { type: "string" }, bytes: { type: "number" } },
}
const server = new Server({ name: "files", version: "1" }, { capabilities: { tools: {} } })
server.setRequestHandler("tools/list", () => ({ tools: [{ name: "write_file", inputSchema }] }))
server.setRequestHandler("tools/call", ({ params: { arguments: args = {} } }) => ({
  content: [{ type: "text", text: args.bytes ? "x".repeat(args.bytes) : `wrote ${args.path}` }],
}))
await server.connect(new StdioServerTransport())
