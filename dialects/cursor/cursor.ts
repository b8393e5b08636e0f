import type { JsonObject } from "../../effects/json.ts"
import type { Dialect } from "../dialect.ts"
import { answer } from "./answer.ts"
import { MOMENTS } from "./moments.ts"

/** Cursor's own events of shell and files name no tool; MCP calls name no server. */
function tool({ hook_event_name: name, tool_name }: JsonObject) {
  if (name === "beforeShellExecution") return { server: "cursor", tool: "Shell" }
  if (name === "beforeReadFile") return { server: "cursor", tool: "Read" }
  if (typeof tool_name !== "string" || tool_name === "") return undefined
  if (name === "beforeMCPExecution") return { server: "mcp", tool: tool_name }
  return tool_name.startsWith("MCP:") ? { server: "mcp", tool: tool_name.slice("MCP:".length) } : undefined
}

export const CURSOR: Dialect = {
  name: "cursor",
  title: "Cursor",
  moments: MOMENTS,
  nameIn: ["hook_event_name"],
  fits: (payload) =>
    typeof payload.hook_event_name === "string" &&
    ("cursor_version" in payload || ("conversation_id" in payload && "generation_id" in payload)),
  tool,
  args: ({ hook_event_name: name, command, file_path }) => {
    if (name === "beforeShellExecution") return typeof command === "string" ? { command } : undefined
    return name === "beforeReadFile" && typeof file_path === "string" ? { file_path } : undefined
  },
  answer,
}
