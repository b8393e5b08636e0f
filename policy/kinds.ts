/** What a tool does, whatever its agent calls it. */
export const TOOL_KINDS = Object.freeze([
  "shell",
  "read",
  "write",
  "edit",
  "delete",
  "search",
  "fetch",
  "mcp",
  "agent",
  "other",
] as const)
export type ToolKind = (typeof TOOL_KINDS)[number]
