/**
 * The door for hosts that have an MCP client of their own: hooks, and a policy, around it.
 *
 * @module
 */
export type {
  CallError,
  ClientHooks,
  HookContext,
  HookMatcher,
  HookTelemetry,
  ListedTool,
  ToolCall,
  ToolResult,
} from "./dialects/conduit/types.ts"
export type { McpClient } from "./mcp/hooked/client.ts"
export { CallFailed } from "./mcp/hooked/failed.ts"
export type { HookedOptions } from "./mcp/hooked/options.ts"
export { type PerCall, perCall } from "./mcp/hooked/per-call.ts"
export { withHooks } from "./mcp/hooked/with-hooks.ts"
