/**
 * A server that brings hooks along: `do` is an ordinary tool, and the others answer events. Each start adds a line to the
 * log that is named first; where the file named second exists, it does not start.
 */
import { appendFileSync, existsSync } from "node:fs"
import { createInterface } from "node:readline"

const [, , log, gone] = process.argv
if (gone && existsSync(gone)) process.exit(7)
if (log) appendFileSync(log, "started\n")

const object = { type: "object" }
const TOOLS = {
  do: () => ({ content: [{ type: "text", text: "done" }] }),
  hint: ({ tool, args }) => ({ structuredContent: { advise: `${tool} with ${JSON.stringify(args)}` } }),
  judge: ({ args }) => ({ structuredContent: args?.bad ? { refuse: "the plugin says no" } : {} }),
  exit: () => process.exit(3),
}

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line)
  if (method === "initialize") {
    const result = {
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: "plugin", version: "1" },
    }
    send({ id, result })
  } else if (method === "tools/list") {
    send({ id, result: { tools: Object.keys(TOOLS).map((name) => ({ name, inputSchema: object })) } })
  } else if (method === "tools/call") {
    send({ id, result: { content: [], ...TOOLS[params.name](params.arguments ?? {}) } })
  } else if (id !== undefined) send({ id, error: { code: -32601, message: `no ${method}` } })
})
