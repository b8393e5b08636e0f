import type { JsonObject } from "../../effects/json.ts"
import { isObject } from "../../effects/json.ts"
import type { Dialect } from "../dialect.ts"
import { answer } from "./answer.ts"
import { MOMENTS } from "./moments.ts"

const text = (value: unknown): value is string => typeof value === "string" && value !== ""

/** Newer releases say which server a tool is of; `mcp__server__tool` alone can be cut in several places. */
function tool({ tool_name, mcp_server }: JsonObject) {
  if (!isObject(mcp_server) || !text(mcp_server.name) || !text(tool_name)) return undefined
  const prefix = `mcp__${mcp_server.name.replaceAll(/[^\w-]/g, "_")}__`
  return tool_name.startsWith(prefix) ? { server: mcp_server.name, tool: tool_name.slice(prefix.length) } : undefined
}

export const CLAUDE_CODE: Dialect = {
  name: "claude-code",
  title: "Claude Code",
  tried: "2.1.197",
  moments: MOMENTS,
  nameIn: ["hook_event_name"],
  fits: (payload) =>
    text(payload.hook_event_name) &&
    text(payload.session_id) &&
    !("timestamp" in payload) &&
    !("cursor_version" in payload) &&
    !("conversation_id" in payload) &&
    !("turn_id" in payload && "model" in payload),
  tool,
  answer,
}
