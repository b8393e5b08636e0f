// Hooks around an MCP client: one call that is denied, one whose result is redacted, one that is rewritten.
//   node examples/client-hooks/first.mjs
import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { CallFailed, withHooks } from "detent/mcp"

const redact = (_call, result) => ({ cont: JSON.parse(JSON.stringify(result).replaceAll(/\bsk-\w+/g, "***")) })

const client = await withHooks(new Client({ name: "notes", version: "1.0.0" }), {
  server: "every",
  hooks: {
    pre_tool_call: [
      ["every/get-env", () => ({ deny: "the environment stays here" }), { id: "no-env" }],
      ["every/get-sum", (call) => ({ cont: { ...call, args: { ...call.args, b: 40 } } }), { id: "forty" }],
    ],
    post_tool_call: [["all", redact, { id: "redact" }]],
  },
})

const server = { command: "npx", args: ["-y", "@modelcontextprotocol/server-everything", "stdio"], stderr: "ignore" }
await client.connect(new StdioClientTransport(server))

const sum = await client.callTool({ name: "get-sum", arguments: { a: 2, b: 2 } })
console.log(sum.content[0].text)

const echo = await client.callTool({ name: "echo", arguments: { message: "my key is sk-12345" } })
console.log(echo.content[0].text)

try {
  await client.callTool({ name: "get-env" })
} catch (error) {
  if (!(error instanceof CallFailed)) throw error
  console.log(`${error.kind} by ${error.hook}: ${error.message}`)
}

await client.close()
