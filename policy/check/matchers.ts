import type { Problem } from "../issues.ts"
import { compileMatcher, matcherNeedsEngine } from "../match/matcher.ts"
import { isExact, regexBody } from "../match/pattern.ts"
import { PatternError } from "../match/problem.ts"
import { nearest } from "../nearest.ts"
import type { Path } from "../places.ts"
import type { Hook, Matcher } from "../policy.ts"
import { AGENTS, TOOL_KINDS } from "../tools.ts"
import { at, type HookCheck, type HookSubject } from "./subject.ts"

const FIELDS = ["server", "tool", "kind", "session", "uri", "agent", "source"] as const

interface Pattern {
  readonly field: string
  readonly pattern: string
  readonly path: Path
}

const named = (field: string, matcher: Matcher, path: Path): Pattern[] =>
  typeof matcher === "string"
    ? [{ field, pattern: matcher, path }]
    : matcher.map((pattern, index) => ({ field, pattern, path: [...path, index] }))

/** Every single pattern of a hook: those of `when`, of `when.args`, and the tools that `may` names. */
export function patternsIn(subject: HookSubject): Pattern[] {
  const { when, may = [] } = subject.text
  const fields = FIELDS.flatMap((field) => {
    const matcher = when?.[field]
    return matcher === undefined ? [] : named(`when.${field}`, matcher, at(subject, "when", field))
  })
  const args = Object.entries(when?.args ?? {}).flatMap(([path, matcher]) =>
    named(`when.args.${path}`, matcher, at(subject, "when", "args", path)),
  )
  return [...fields, ...args, ...may.flatMap((name, index) => named("may", name, at(subject, "may", index)))]
}

/** Whether a hook's matchers need the regex engine. */
export const hookNeedsEngine = ({ when, may, grant }: Hook): boolean =>
  [
    grant?.on,
    ...FIELDS.map((field) => when?.[field]),
    ...Object.values(when?.args ?? {}),
    ...may.tools,
    ...may.argv,
    ...may.modules,
  ].some((matcher) => matcher !== undefined && matcherNeedsEngine(matcher))

export const badPattern: HookCheck = function* (subject) {
  for (const { field, pattern, path } of patternsIn(subject)) {
    const problem = problemOfPattern(pattern)
    if (problem) yield { ...problem, path, message: `\`${field}\`: ${problem.message}` }
  }
}

/** Why a pattern cannot be read; undefined for one that can. */
export function problemOfPattern(pattern: string): Pick<Problem, "message" | "hint"> | undefined {
  try {
    compileMatcher(pattern)
    return undefined
  } catch (cause) {
    if (!(cause instanceof PatternError)) throw cause
    return { message: cause.message, ...(cause.hint !== undefined && { hint: cause.hint }) }
  }
}

const compiles = (pattern: string): boolean => problemOfPattern(pattern) === undefined

/** Escapes and classes out of the way, so that what is left of `^` and `$` are anchors. */
const bare = (regex: string): string => regex.replace(/\\[\s\S]/g, "x").replace(/\[\^?\]?[^\]]*\]/g, "x")

/** An anchor in the middle of a text that is already held against the whole field. */
const anchorInside = (regex: string): boolean =>
  !/\(\?[a-z]*m/.test(regex) && (/[^(|^:]\^/.test(bare(regex)) || /\$[^)|$]/.test(bare(regex)))

export const neverMatches: HookCheck = function* (subject) {
  for (const { field, pattern, path } of patternsIn(subject)) {
    const body = regexBody(pattern)
    if (body === undefined || !compiles(pattern) || !anchorInside(body)) continue
    yield {
      path,
      message: `the pattern \`${pattern}\` of \`${field}\` can never match`,
      hint: "`^` and `$` stand at the ends only",
    }
  }
}

const kindsList = TOOL_KINDS.join(", ")

export const unknownKind: HookCheck = function* (subject) {
  for (const { field, pattern, path } of patternsIn(subject)) {
    if (field !== "when.kind" || !compiles(pattern)) continue
    const { test } = compileMatcher(pattern)
    if (TOOL_KINDS.some((kind) => test(kind))) continue
    const near = nearest(pattern, TOOL_KINDS)
    const hint = near === undefined ? `the kinds are ${kindsList}` : `did you mean \`${near}\`?`
    yield { path, message: `no tool is of the kind \`${pattern}\``, hint }
  }
}

export const unknownServer: HookCheck = function* (subject, { servers }) {
  if (servers.length === 0) return
  const known = [...servers, ...AGENTS]
  for (const { field, pattern, path } of patternsIn(subject)) {
    const server = field === "when.server" ? pattern : field === "when.tool" ? serverOf(pattern) : undefined
    if (server === undefined || !compiles(server)) continue
    const { test } = compileMatcher(server)
    if (known.some((name) => test(name))) continue
    yield { path, message: `no server is called \`${server}\``, hint: hintFor(server, known, servers) }
  }
}

const hintFor = (server: string, known: readonly string[], servers: readonly string[]): string => {
  const near = nearest(server, known)
  return near === undefined ? `the servers here are ${servers.join(", ")}` : `did you mean \`${near}\`?`
}

/** The server that a plain `server/tool` names. */
const serverOf = (pattern: string): string | undefined =>
  isExact(pattern) && /^[^/]+\/./.test(pattern) ? pattern.slice(0, pattern.indexOf("/")) : undefined

export const unknownPluginServer: HookCheck = function* (subject, { servers }) {
  const { action } = subject.hook
  if (action.kind !== "plugin" || servers.length === 0) return
  const server = action.target.slice(0, action.target.indexOf("/"))
  if (servers.includes(server)) return
  yield {
    path: at(subject, "plugin"),
    message: `no server is called \`${server}\``,
    hint: hintFor(server, servers, servers),
  }
}
