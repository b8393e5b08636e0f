/** A server whose tools answer in two forms: `key` promises its structured one, `free` does not, `failing` breaks its promise. */
import { serve, text } from "./serve.mjs"

const inputSchema = { type: "object" }
const outputSchema = { type: "object", properties: { key: { type: "string" } }, required: ["key"] }
const secret = text("key=SECRET1", { structuredContent: { key: "SECRET1" } })

serve({
  "tools/list": () => ({
    tools: [
      { name: "key", inputSchema, outputSchema },
      { name: "free", inputSchema },
      { name: "failing", inputSchema, outputSchema },
    ],
  }),
  "tools/call": ({ name }) =>
    name === "failing" ? text("no key today", { isError: true, structuredContent: { why: "SECRET1" } }) : secret,
})
