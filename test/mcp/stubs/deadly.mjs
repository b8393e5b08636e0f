/** A server that notes each call in a ledger and dies of `die`; `slow` takes its time, `ok` none. */
import { appendFileSync } from "node:fs"
import { serve, text } from "./serve.mjs"

const [, , ledger] = process.argv
const inputSchema = { type: "object" }

serve({
  "tools/list": () => ({ tools: ["die", "ok", "slow"].map((name) => ({ name, inputSchema })) }),
  "tools/call": async ({ name }) => {
    appendFileSync(ledger, `${name}\n`)
    if (name === "die") process.exit(3)
    if (name === "slow") await new Promise((resolve) => setTimeout(resolve, 400))
    return text(name)
  },
})
