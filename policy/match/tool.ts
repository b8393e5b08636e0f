import type { Matcher } from "../policy.ts"
import { isAgent, isOwnTool } from "../tools.ts"
import { compilePattern, isExact, patternsOf, regexBody } from "./pattern.ts"

/** The three texts of a tool that a pattern may be held against. */
export const TOOL_FORMS = Object.freeze({
  bare: "the tool's own name",
  slash: "`server/tool`: the pattern holds a slash",
  mcp: "`mcp__server__tool`: the pattern begins with `mcp__`",
} as const)
export type ToolForm = keyof typeof TOOL_FORMS

export interface ToolMatcher {
  test(server: string, tool: string): boolean
  /** where the matcher is nothing but exact names: these, each as one of the tool's forms, for an index */
  readonly exact?: readonly string[]
}

/** The name of a tool in one of its forms. An agent that hands us a joined name has joined it already. */
export function toolName(form: ToolForm, server: string, tool: string): string {
  if (form === "bare") return tool
  if (form === "slash") return `${server}/${tool}`
  return tool.startsWith("mcp__") && isAgent(server) ? tool : `mcp__${server}__${tool}`
}

/**
 * Compiles a matcher of tools. A pattern is held against the bare name, or, where its text holds a `/` or begins with
 * `mcp__`, against the pair written as `server/tool` or `mcp__server__tool`. The text of a `/regex/` is its body.
 *
 * @throws PatternError on an invalid regex.
 */
export function toolMatcher(matcher: Matcher): ToolMatcher {
  const patterns = patternsOf(matcher)
  const tests = patterns.flatMap((pattern) => formsOf(pattern).map((form) => formTest(form, pattern)))
  const [only] = tests
  const test = only && tests.length === 1 ? only : (server: string, tool: string) => tests.some((t) => t(server, tool))
  if (!patterns.every(isExact)) return { test }
  return { test, exact: patterns }
}

function formsOf(pattern: string): readonly ToolForm[] {
  const text = (regexBody(pattern) ?? pattern).replace(/^\^/, "")
  const forms: ToolForm[] = []
  if (text.includes("/")) forms.push("slash")
  if (text.startsWith("mcp__")) forms.push("mcp")
  return forms.length > 0 ? forms : ["bare"]
}

function formTest(form: ToolForm, pattern: string): (server: string, tool: string) => boolean {
  if (isExact(pattern)) {
    if (form === "bare") return (_, tool) => tool === pattern
    return (server, tool) => toolName(form, server, tool) === pattern
  }
  const fits = compilePattern(pattern)
  const test = regexBody(pattern) === undefined ? withSlashes(fits, form) : plain(fits, form)
  // `mcp__*` means every MCP tool, and not the tools that an agent brings itself
  return form === "mcp" ? (server, tool) => !isOwnTool(server, tool) && test(server, tool) : test
}

type Fits = (text: string) => boolean

const plain =
  (fits: Fits, form: ToolForm) =>
  (server: string, tool: string): boolean =>
    fits(toolName(form, server, tool))

/**
 * A tool's name is one segment, whatever its server put into it: a slash inside of it must not let it slip through `*`.
 */
const withSlashes =
  (fits: Fits, form: ToolForm) =>
  (server: string, tool: string): boolean =>
    fits(toolName(form, server, tool)) ||
    (tool.includes("/") && fits(toolName(form, server, tool.replaceAll("/", "\0"))))
