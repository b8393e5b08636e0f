// Each of the six events once, as it comes.
//   node examples/client-hooks/events.mjs
import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { withHooks } from "detent/mcp"

const notes = {
  before: async (call, context) => {
    console.log(
      `pre_tool_call: ${call.server}/${call.tool}, asked by ${context.principal.id} in the ${context.era} era`,
    )
    return "cont"
  },
}

const client = await withHooks(new Client({ name: "notes", version: "1.0.0" }), {
  server: "every",
  hookTimeout: 2000,
  hooks: {
    pre_tool_call: [["all", [notes, "before"]]],
    post_tool_call: [
      [
        "every/echo",
        (_call, { isError = false }) => {
          console.log(`post_tool_call: an error? ${isError}`)
          return "cont"
        },
      ],
    ],
    tool_call_failed: [
      [
        ["every", /^trigger-/],
        (_call, { kind }) => {
          console.log(`tool_call_failed: ${kind}`)
          return { recover: { content: [{ type: "text", text: "it took too long" }] } }
        },
        { on_error: "ignore" },
      ],
    ],
    on_tools_listed: [["every/*", (tools) => ({ cont: tools.filter(({ annotations }) => annotations?.readOnlyHint) })]],
    on_resource_read: [["demo://resource/static/**", (uri) => ({ deny: `not this one: ${uri}` })]],
    on_prompt_get: [["args-prompt", (_name, args) => ({ cont: { ...args, city: "Bern" } })]],
  },
})

const server = { command: "npx", args: ["-y", "@modelcontextprotocol/server-everything", "stdio"], stderr: "ignore" }
await client.connect(new StdioClientTransport(server))

await client.callTool({ name: "echo", arguments: { message: "hello" } })
const slow = { name: "trigger-long-running-operation", arguments: { duration: 1, steps: 1 } }
console.log((await client.callTool(slow, { timeout: 100 })).content[0].text)
const { tools } = await client.listTools()
console.log(`listed is what only reads: ${tools.every(({ annotations }) => annotations.readOnlyHint)}`)
const uri = "demo://resource/static/document/features.md"
console.log(await client.readResource({ uri }).catch(({ message }) => message))
const prompt = await client.getPrompt({ name: "args-prompt", arguments: { city: "Rome" } })
console.log(prompt.messages[0].content.text)

await client.close()
