import { isObject, type JsonObject } from "../../effects/json.ts"
import type { Dialect } from "../dialect.ts"
import { answer } from "./answer.ts"
import { MOMENTS } from "./moments.ts"

/** `mcp_server_tool` can be cut in several places; the context beside it says the pair. */
function tool({ mcp_context }: JsonObject) {
  if (!isObject(mcp_context)) return undefined
  const { server_name: server, tool_name: tool } = mcp_context
  return typeof server === "string" && typeof tool === "string" ? { server, tool } : undefined
}

/** Events that only others have: their payloads carry a timestamp too. */
const OTHERS = /^(Pre|Post)Tool|^UserPrompt|^Stop$|^Subagent|^PreCompact$/

export const GEMINI: Dialect = {
  name: "gemini",
  title: "Gemini CLI",
  tried: "0.61.0",
  moments: MOMENTS,
  nameIn: ["hook_event_name"],
  fits: ({ hook_event_name: name, timestamp, turn_id }) =>
    typeof name === "string" && typeof timestamp === "string" && turn_id === undefined && !OTHERS.test(name),
  tool,
  answer,
}
