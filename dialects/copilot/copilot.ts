import type { JsonObject } from "../../effects/json.ts"
import { isOwnTool } from "../../policy/tools.ts"
import { type Dialect, type NamedTool, ofClaudesNames } from "../dialect.ts"
import { answer } from "./answer.ts"
import { MOMENTS } from "./moments.ts"

/** `server-tool` is all that Copilot says of an MCP tool; tools seldom have a `-` in their names, and servers often do. */
function tool({ toolName, tool_name }: JsonObject): NamedTool | undefined {
  const joined = toolName ?? tool_name
  if (typeof joined !== "string" || joined.startsWith("mcp__") || isOwnTool("copilot", joined)) return undefined
  const [, server, tool] = /^(.+)-([^-]+)$/s.exec(joined) ?? []
  if (server === undefined || tool === undefined) return undefined
  const note = `\`${joined}\` is taken for the tool \`${tool}\` of the server \`${server}\``
  return { server, tool, ...(server.includes("-") ? { note } : {}) }
}

export const COPILOT: Dialect = {
  name: "copilot",
  title: "Copilot",
  tried: "1.0.102",
  moments: MOMENTS,
  nameIn: ["hook_event_name", "hookName"],
  tool,
  fits: ({ sessionId, timestamp, hook_event_name: name, turn_id, hookEventName }) =>
    name === undefined
      ? typeof sessionId === "string" && typeof timestamp === "number" && hookEventName === undefined
      : typeof name === "string" && ofClaudesNames(name) && typeof timestamp === "string" && turn_id === undefined,
  answer,
}
