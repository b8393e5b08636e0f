import type { JsonObject } from "../../effects/json.ts"
import { compileRegex } from "../../policy/match/regex.ts"
import { nearest } from "../../policy/nearest.ts"
import { AGENTS, type Agent } from "../../policy/tools.ts"
import { AGENT_TOOLS } from "../../policy/vocabulary.ts"
import { JOINED } from "../heard/payload.ts"

/** A matcher of a host as a `when` of ours, and what is doubtful about it. */
export interface Matched {
  readonly when?: JsonObject
  readonly doubts: readonly string[]
}

const ALL: Matched = Object.freeze({ doubts: [] })

/** Reads a matcher of tools as its host does. */
export function toolMatcherOf(agent: string, matcher: unknown): Matched {
  if (matcher === undefined || matcher === "" || matcher === "*" || matcher === ".*") return ALL
  if (typeof matcher !== "string") return { doubts: ["its matcher is no text: taken for all tools"] }
  if (agent === "vscode") return { doubts: [`VS Code passes over the matcher \`${matcher}\`: every tool is meant`] }
  const names = matcher.split(agent === "claude-code" ? /[|,]/ : "|").map((name) => name.trim())
  if (!names.every((name) => /^[\w-]+$/.test(name))) return ofRegex(agent, matcher)
  const doubts = [
    ...(matcher.includes(",")
      ? [`the matcher \`${matcher}\` matches nothing before Claude Code 2.1.191: write \`|\``]
      : []),
    ...names.flatMap((name) => doubtOf(agent, name)),
  ]
  return { when: { tool: names.length === 1 ? names[0] : names }, doubts }
}

/** An exact name that no tool of the agent has: a guard that never runs says nothing about it. */
function doubtOf(agent: string, name: string): readonly string[] {
  const [prefix, between] = JOINED[agent] ?? ["mcp__", "__"]
  if (name.startsWith(prefix)) {
    const whole = name.slice(prefix.length).includes(between)
    return whole ? [] : [`\`${name}\` matches no tool: for all of a server's write \`${name}${between}.*\``]
  }
  const known = Object.keys(AGENT_TOOLS[agent as Agent] ?? {})
  if (known.includes(name)) return []
  const folded = known.find((one) => one.toLowerCase() === name.toLowerCase())
  const near = folded ?? nearest(name, known)
  return [`no tool that is known of this agent is called \`${name}\`${near ? `; did it mean \`${near}\`?` : ""}`]
}

/** The name that the host shows to a regex, of the pair that ours is. */
function nameAt(agent: string): JsonObject {
  const [before, between] = JOINED[agent] ?? ["mcp__", "__"]
  const joined = agent === "cursor" ? ["MCP:", { var: "tool" }] : [before, { var: "server" }, between, { var: "tool" }]
  return { if: [{ in: [{ var: "server" }, AGENTS] }, { var: "tool" }, { cat: joined }] }
}

/** Hosts that hold a regex against the whole name; the others search in it. */
const WHOLE: ReadonlySet<string> = new Set(["copilot", "vix"])

function ofRegex(agent: string, matcher: string): Matched {
  const pattern = WHOLE.has(agent) ? `(?:${matcher})` : `.*(?:${matcher}).*`
  try {
    compileRegex(pattern)
  } catch (cause) {
    const skips = agent === "copilot" ? "; Copilot skips a hook whose matcher it cannot read" : ""
    return {
      doubts: [
        `the matcher \`${matcher}\` cannot be said in RE2, so that all tools are meant: ${(cause as Error).message}${skips}`,
      ],
    }
  }
  return { when: { if: { matches: [nameAt(agent), pattern] } }, doubts: [] }
}

/**
 * Claude Code's `if`, a permission rule such as `Bash(git push *)`: the command is searched for it, so that one in the
 * middle of a longer line is met, too.
 */
export function ruleOf(rule: string): Matched {
  const [, tool, inside] = /^(\w+)(?:\((.*)\))?$/s.exec(rule) ?? []
  if (tool === undefined) return { doubts: [`\`if: ${rule}\` is not understood, so that every call is meant`] }
  if (inside === undefined) return { when: { tool }, doubts: [] }
  if (tool !== "Bash") return { when: { tool }, doubts: [`\`if: ${rule}\`: every call of \`${tool}\` is meant`] }
  const text = inside.replace(/:\*$/, "*").split("*").map(escaped).join(".*")
  const doubts = [`\`if: ${rule}\` is approximated: a command that holds it anywhere is meant`]
  return { when: { tool, if: { matches: [{ var: "target.command" }, `.*${text}.*`] } }, doubts }
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")

/** Both conditions at once. */
export function both(one: JsonObject | undefined, other: JsonObject | undefined): JsonObject | undefined {
  if (!one || !other) return one ?? other
  const ifs = [one.if, other.if].filter((condition) => condition !== undefined)
  return { ...one, ...other, ...(ifs.length > 1 ? { if: { and: ifs } } : {}) }
}
