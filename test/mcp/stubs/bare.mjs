/** A server with a tool that answers without content, one that answers with an error of the protocol, a resource and a prompt. */
import { fault, serve } from "./serve.mjs"

const inputSchema = { type: "object" }

serve(
  {
    "tools/list": () => ({ tools: ["failed", "nothing", "wrong"].map((name) => ({ name, inputSchema })) }),
    "tools/call": ({ name }) => {
      if (name === "wrong") throw fault(-32050, "out of paper", "tray 2")
      return name === "failed" ? { isError: true } : {}
    },
    "resources/list": () => ({ resources: [{ name: "a", uri: "test://a" }] }),
    "resources/read": ({ uri }) => ({ contents: [{ uri, text: "hello" }] }),
    "prompts/list": () => ({ prompts: [{ name: "p" }] }),
    "prompts/get": () => ({ messages: [{ role: "user", content: { type: "text", text: "hello" } }] }),
  },
  { tools: {}, resources: {}, prompts: {} },
)
