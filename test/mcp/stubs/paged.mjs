/** 101 tools in pages of 50, each of which answers with its name; the first argument says what is wrong with the pages. */
import { fault, serve, text } from "./serve.mjs"

const [, , manner] = process.argv
const tools = Array.from({ length: 101 }, (_, at) => ({ name: `tool-${at + 1}`, inputSchema: { type: "object" } }))
const page = (at) => tools.slice(at * 50, at * 50 + 50)

/** What stands in each page after the first, by the cursor that was given. */
const PAGES = {
  whole: { c1: () => ({ tools: page(1), nextCursor: "c2" }), c2: () => ({ tools: page(2) }) },
  empty: { c1: () => ({ tools: page(1), nextCursor: "c2" }), c2: () => ({ tools: page(2), nextCursor: "" }) },
  null: { c1: () => ({ tools: page(1), nextCursor: "c2" }), c2: () => ({ tools: page(2), nextCursor: null }) },
  broken: {
    c1: () => {
      throw fault(-32603, "page two is lost")
    },
  },
  endless: { c1: () => ({ tools: page(1), nextCursor: "c1" }) },
  none: { c1: () => ({ pages: 2 }) },
  nameless: { c1: () => ({ tools: [{ inputSchema: { type: "object" } }] }) },
}

serve({
  "tools/list": ({ cursor }) => (cursor === undefined ? { tools: page(0), nextCursor: "c1" } : PAGES[manner][cursor]()),
  "tools/call": ({ name }) => text(name),
})
