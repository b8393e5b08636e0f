import { TOOL_KINDS } from "../../policy/kinds.ts"
import { AGENT_TOOLS, MCP_TOOLS, type ToolRow } from "../../policy/vocabulary.ts"
import { code, codes, page, part, table } from "./markdown.ts"

const MEMBERS = ["command", "path", "url"] as const

const row = ([name, tool]: readonly [string, ToolRow]): string[] => {
  const target = MEMBERS.flatMap((member) =>
    (tool[member] ?? []).length > 0 ? [`${code(member)} from ${codes(tool[member] ?? [])}`] : [],
  )
  if (tool.patch !== undefined) target.push(`${code("path")} from the headers of the patch in ${code(tool.patch)}`)
  return [code(name), code(tool.kind), target.join("; ")]
}

const HEAD = ["tool", "kind", "target"] as const

export const tools = (): string =>
  page(
    "Tools",
    `What each agent calls its tools, in one vocabulary. ${code("kind")} is one of ${codes(TOOL_KINDS)}. A tool that is in no table is ${code("mcp")}, or ${code("other")} where the server is an agent.`,
    ...Object.entries(AGENT_TOOLS).map(([agent, rows]) =>
      part(`\`server: ${agent}\``, table(HEAD, Object.entries<ToolRow>(rows).map(row))),
    ),
    part("Any MCP server", table(HEAD, Object.entries(MCP_TOOLS).map(row))),
  )
