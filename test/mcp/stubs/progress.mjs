/** A server that tells of its progress, and of more than there is. Each answer is the `_meta` of its call. */
import { send, serve, text } from "./serve.mjs"

const inputSchema = { type: "object" }
const note = (progressToken, progress) =>
  send({ method: "notifications/progress", params: { progressToken, progress, total: 3 } })

const TOOLS = {
  steps: async ({ arguments: args, _meta }) => {
    for (const progress of [1, 2, 3]) {
      note(_meta?.progressToken ?? "made-up", progress)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    return text(JSON.stringify({ args, meta: _meta ?? null }))
  },
  late: ({ _meta }, id) => {
    send({ id, result: text("done") })
    note(_meta?.progressToken, 4)
    return undefined
  },
}

serve({
  "tools/list": () => ({ tools: Object.keys(TOOLS).map((name) => ({ name, inputSchema })) }),
  "tools/call": (params, id) => TOOLS[params.name](params, id),
})
