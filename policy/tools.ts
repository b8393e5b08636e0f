import type { JsonObject } from "../effects/json.ts"
import type { ToolKind } from "./kinds.ts"
import { singlePath } from "./patch.ts"
import { AGENT_TOOLS, MCP_TOOLS, type ToolRow } from "./vocabulary.ts"

export { TOOL_KINDS, type ToolKind } from "./kinds.ts"

export type Agent = keyof typeof AGENT_TOOLS

/** The agents that bring tools of their own; such a tool's `server` is the agent's name. */
export const AGENTS = Object.freeze(Object.keys(AGENT_TOOLS)) as readonly Agent[]

export const isAgent = (server: string): server is Agent => Object.hasOwn(AGENT_TOOLS, server)

/** Whether this is a tool that the agent `server` is known to bring itself. */
export const isOwnTool = (server: string, tool: string): boolean =>
  isAgent(server) && Object.hasOwn(AGENT_TOOLS[server], tool)

const CHANGE_NOTHING: ReadonlySet<ToolKind> = new Set(["read", "search", "fetch"])

/** What stands for the annotations of an agent's own tool, which no server gives: what it does by its kind. */
export const ownAnnotations = (server: string, tool: string): { readonly readOnlyHint: true } | undefined =>
  isOwnTool(server, tool) && CHANGE_NOTHING.has(rowOf(server, tool)?.kind ?? "other")
    ? { readOnlyHint: true }
    : undefined

/** The members of a normalised target. */
export const TARGET_MEMBERS = Object.freeze(["command", "path", "url"] as const)
export type TargetMember = (typeof TARGET_MEMBERS)[number]
export type Target = { readonly [M in TargetMember]?: string }

export interface Described {
  readonly kind: ToolKind
  readonly target: Target
}

/** Where a tool that we do not know is likely to have them. */
const CONVENTIONAL = Object.freeze({
  command: ["command"],
  path: ["path", "file_path", "filePath"],
  url: ["url", "uri"],
} as const satisfies Record<TargetMember, readonly string[]>)

/**
 * A tool in the one vocabulary of all agents. Names are taken exactly as they are written. An unknown tool is `mcp`, or
 * `other` where the server is an agent; its target is read from the conventional arguments. Only texts become a
 * target; a command given as an array of texts is joined by spaces.
 */
export function describeTool(server: string, tool: string, args: unknown): Described {
  const row = rowOf(server, tool)
  const target: { -readonly [M in TargetMember]?: string } = {}
  for (const member of TARGET_MEMBERS) {
    const value = readMember(row, member, args)
    if (value !== undefined) target[member] = value
  }
  return { kind: row?.kind ?? (isAgent(server) ? "other" : "mcp"), target }
}

/**
 * Maps a rewritten target back onto the arguments. Members that the target leaves out stay as they are.
 *
 * @returns new arguments, or undefined where a member is no text or has no place in these arguments
 */
export function applyTarget(
  server: string,
  tool: string,
  args: JsonObject,
  target: JsonObject,
): JsonObject | undefined {
  const row = rowOf(server, tool)
  const rewritten = { ...args }
  for (const [member, value] of Object.entries(target)) {
    if (!isMember(member) || typeof value !== "string") return undefined
    if (value === readMember(row, member, args)) continue
    const place = placeOf(row, member, args)
    if (place === undefined) return undefined
    rewritten[place] = value
  }
  return rewritten
}

const isMember = (member: string): member is TargetMember => Object.hasOwn(CONVENTIONAL, member)

/** An agent's own table first; then the others', since one agent may run another's hooks under its names. */
function rowOf(server: string, tool: string): ToolRow | undefined {
  if (!isAgent(server)) return Object.hasOwn(MCP_TOOLS, tool) ? MCP_TOOLS[tool] : undefined
  for (const agent of [server, ...AGENTS]) {
    if (Object.hasOwn(AGENT_TOOLS[agent], tool)) return AGENT_TOOLS[agent][tool]
  }
  return undefined
}

const namesOf = (row: ToolRow | undefined, member: TargetMember): readonly string[] =>
  row === undefined ? CONVENTIONAL[member] : (row[member] ?? [])

function readMember(row: ToolRow | undefined, member: TargetMember, args: unknown): string | undefined {
  if (member === "path" && row?.patch !== undefined) {
    const patch = ownValue(args, row.patch)
    return typeof patch === "string" ? singlePath(patch) : undefined
  }
  for (const name of namesOf(row, member)) {
    const value = ownValue(args, name)
    if (typeof value === "string") return value
    if (member === "command" && isTexts(value)) return value.join(" ")
  }
  return undefined
}

/** The argument to write to: the one it was read from, else, for a tool that we know, the tool's own name for it. */
function placeOf(row: ToolRow | undefined, member: TargetMember, args: JsonObject): string | undefined {
  const names = namesOf(row, member)
  for (const name of names) {
    const value = ownValue(args, name)
    if (typeof value === "string") return name
    // the words of an argv cannot be told from a joined text
    if (value !== undefined && value !== null) return undefined
  }
  return row === undefined ? undefined : names[0]
}

const ownValue = (args: unknown, name: string): unknown =>
  typeof args === "object" && args !== null && Object.hasOwn(args, name) ? (args as JsonObject)[name] : undefined

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string")
