/** A server with one tool, of the given name; it writes its arguments down in the ledger, if there is one, and answers with the given words. */
import { appendFileSync } from "node:fs"
import { serve, text } from "./serve.mjs"

const [, , name, words, ledger] = process.argv

serve({
  "tools/list": () => ({ tools: [{ name, inputSchema: { type: "object" } }] }),
  "tools/call": ({ arguments: args }) => {
    if (ledger) appendFileSync(ledger, `${JSON.stringify(args)}\n`)
    return text(words)
  },
})
