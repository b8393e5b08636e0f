import { isObject, type JsonObject } from "../../effects/json.ts"
import { isAgent } from "../../policy/tools.ts"
import type { Dialect, MomentRow } from "../dialect.ts"

/** The host's own event as a command of its expects it: what the host has sent, with what hooks have changed since. */
export function payloadOf(dialect: Dialect, name: string, row: MomentRow, event: JsonObject): JsonObject {
  const { host, session = "detent", cwd } = event
  const camel = dialect.name === "copilot" && /^[a-z]/.test(name)
  return {
    ...(isObject(host) ? host : {}),
    [SESSION[dialect.name] ?? (camel ? "sessionId" : "session_id")]: session,
    ...(cwd === undefined ? {} : { cwd }),
    ...(camel ? {} : { [dialect.nameIn[0]!]: name }),
    ...(event.tool === undefined ? {} : { [camel ? "toolName" : "tool_name"]: toolNameOf(dialect.name, event) }),
    ...fieldsOf(row, event),
    ...(OWN[`${dialect.name} ${name}`]?.(event) ?? {}),
  }
}

const SESSION: Readonly<Record<string, string>> = { vscode: "sessionId", cursor: "conversation_id" }

function fieldsOf({ fields }: MomentRow, event: JsonObject): JsonObject {
  const found: JsonObject = {}
  for (const [field, [place]] of Object.entries(fields)) {
    const value = event[field]
    if (value === undefined || place === undefined) continue
    found[place] = field === "error" && isObject(value) ? value.message : value
  }
  return found
}

const argsOf = ({ args }: JsonObject): JsonObject => (isObject(args) ? args : {})

/** Events that say a tool's arguments in a form of their own. */
const OWN: Readonly<Record<string, (event: JsonObject) => JsonObject>> = Object.freeze({
  "cursor beforeShellExecution": (event) => ({ command: argsOf(event).command ?? "" }),
  "cursor beforeReadFile": (event) => ({ file_path: argsOf(event).file_path ?? "" }),
  "cursor beforeMCPExecution": (event) => ({ tool_name: event.tool, tool_input: JSON.stringify(argsOf(event)) }),
})

/** How each agent writes the name of a server's tool; the others write `mcp__server__tool`. */
export const JOINED: Readonly<Record<string, readonly [string, string]>> = Object.freeze({ gemini: ["mcp_", "_"] })

function toolNameOf(agent: string, { server, tool }: JsonObject): string {
  if (isAgent(String(server))) return String(tool)
  if (agent === "cursor") return `MCP:${String(tool)}`
  const [before, between] = JOINED[agent] ?? ["mcp__", "__"]
  return `${before}${String(server)}${between}${String(tool)}`
}
