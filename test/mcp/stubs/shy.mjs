/** A server that says nothing to what it does not know (`silent`), or dies of it (`dies`); its one tool tells how often it was asked first. */
import { appendFileSync, readFileSync } from "node:fs"
import { createInterface } from "node:readline"
import { send, text } from "./serve.mjs"

const [, , manner, ledger] = process.argv

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line)
  if (method === "initialize") {
    const { protocolVersion } = params
    const serverInfo = { name: "shy", version: "1" }
    send({ id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo } })
  } else if (method === "tools/list")
    send({ id, result: { tools: [{ name: "asked", inputSchema: { type: "object" } }] } })
  else if (method === "tools/call") {
    send({ id, result: text(readFileSync(ledger, "utf8")) })
    if (params.arguments.leave) process.exit(0)
  } else if (id !== undefined) {
    appendFileSync(ledger, "x")
    if (manner === "dies") process.exit(1)
  }
})
