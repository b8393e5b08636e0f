// A policy and functions around one client, who asks for one call alone, and what each run of a function is told as.
//   node examples/client-hooks/policy.mjs
import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { perCall, withHooks } from "detent/mcp"
import { parsePolicy } from "detent/node"

const policy = parsePolicy(`
version: 1
hooks:
  - id: small-sums
    on: call
    phase: before
    when: { tool: get-sum, if: { ">": [{ var: args.a }, 100] } }
    rule: { refuse: "@caller.id may add up to 100, not @args.a" }
    effect: ask
    failure: closed
`)

const client = await withHooks(new Client({ name: "notes", version: "1.0.0" }), {
  server: "every",
  policy,
  caller: { id: "ana" },
  hooks: {
    pre_tool_call: [
      ["get-sum", ({ args, ...call }) => ({ cont: { ...call, args: { ...args, a: args.a * 10 } } }), { id: "ten" }],
    ],
  },
  onTelemetry: ({ hook, type, status }) => console.log(`  ${hook}: ${type} ${status}`),
})

const server = { command: "npx", args: ["-y", "@modelcontextprotocol/server-everything", "stdio"], stderr: "ignore" }
await client.connect(new StdioClientTransport(server))

const sum = await client.callTool({ name: "get-sum", arguments: { a: 2, b: 2 } })
console.log(sum.content[0].text)

const options = perCall({ caller: { id: "ben" } }, { timeout: 10_000 })
const refused = await client.callTool({ name: "get-sum", arguments: { a: 20, b: 2 } }, options).catch((error) => error)
console.log(`${refused.reason} by ${refused.hook}: ${refused.message}`)

await client.close()
