import { compileMatcher, toolMatcher } from "../match/matcher.ts"
import { isExact, patternsOf, regexBody } from "../match/pattern.ts"
import { PatternError } from "../match/problem.ts"
import { isPoint, pointRow } from "../points.ts"
import { type Grant, showScope } from "../policy.ts"
import { patternsIn, problemOfPattern } from "./matchers.ts"
import { at, type HookCheck, type PolicyCheck } from "./subject.ts"

/** A floor is a governance team's; what comes with a server has none. */
export const floorInManifest: HookCheck = function* (subject, { grant }) {
  if (grant === undefined || subject.hook.floor === "off") return
  const message = `\`${subject.hook.id}\` is a hook of a manifest, and these have no floor`
  yield { path: at(subject, "floor"), message, hint: "declare the hook in a policy, or leave the floor out" }
}

export const badGrantPattern: PolicyCheck = function* ({ grants = [] }) {
  for (const { on, path } of grants) {
    for (const [index, pattern] of patternsOf(on).entries()) {
      const problem = problemOfPattern(pattern)
      const place = typeof on === "string" ? path : [...path, index]
      if (problem) yield { ...problem, path: place, message: `\`grant.on\`: ${problem.message}` }
    }
  }
}

/** Where a hook of a manifest says that it is about something, and never fires there. */
export const outsideGrant: HookCheck = function* (subject, { grant }) {
  if (grant === undefined) return
  const { id, on, phase, when } = subject.hook
  const hint = `its hooks fire on ${showScope(grant)} alone; \`servers.${grant.server}.grant.on\` widens that`
  if (phase !== "observe" && isPoint(on) && !Object.hasOwn(pointRow(on).fields, "tool")) {
    const message = `\`${id}\` never fires: a manifest's hooks are about tools, and \`${on}\` is about none`
    yield { path: at(subject, "on"), message, hint: "declare it in a policy" }
    return
  }
  const server = typeof when?.server === "string" && isExact(when.server) ? when.server : undefined
  for (const { field, pattern, path } of patternsIn(subject)) {
    if (!isExact(pattern) || (field !== "when.server" && field !== "when.tool")) continue
    const slash = field === "when.tool" ? pattern.indexOf("/") : -1
    const [named, tool] =
      field === "when.server"
        ? [pattern, undefined]
        : slash < 0
          ? [server, pattern]
          : [pattern.slice(0, slash), pattern.slice(slash + 1)]
    if (pattern.startsWith("mcp__") || couldConcern(grant, named, tool)) continue
    yield {
      path,
      message: `\`${pattern}\` is outside the grant of \`${grant.server}\`, so \`${id}\` never fires there`,
      hint,
    }
  }
}

/** Whether a tool of which a name, or both, are known could be one of the grant's. */
function couldConcern({ server: own, on }: Grant, server: string | undefined, tool: string | undefined): boolean {
  if (on === undefined) return server === undefined || server === own
  return patternsOf(on).some((pattern) => {
    try {
      if (server !== undefined && tool !== undefined) return toolMatcher(pattern).test(server, tool)
      const slash = regexBody(pattern) === undefined ? pattern.indexOf("/") : -1
      if (slash < 0)
        return server !== undefined || regexBody(pattern) !== undefined || toolMatcher(pattern).test("", tool!)
      const [part, name] = server === undefined ? [pattern.slice(slash + 1), tool] : [pattern.slice(0, slash), server]
      return compileMatcher(part).test(name)
    } catch (cause) {
      if (cause instanceof PatternError) return true
      throw cause
    }
  })
}
