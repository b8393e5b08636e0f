import { PatternError } from "../../policy/match/problem.ts"
import type { EventRow } from "./events.ts"
import { fold, type LooseTest, looseGlob, looseRegex } from "./loose.ts"
import type { RegExpLike } from "./types.ts"

/** What a matcher is held against. */
export interface Named {
  readonly server: string
  readonly name: string
  readonly foldedServer: string
  readonly foldedName: string
}

export const named = (server: string, name: string): Named => ({
  server,
  name,
  foldedServer: fold(server),
  foldedName: fold(name),
})

/** How wide a matcher is: the rings of the onion, from the outside in. */
export const RINGS = Object.freeze(["global", "server", "tool"] as const)
type Width = (typeof RINGS)[number]

export interface CompiledMatcher {
  readonly ring: Width
  test(named: Named): boolean
}

/** What is wrong with a matcher, and how to mend it. */
export class MatcherProblem extends Error {
  readonly hint: string

  constructor(message: string, hint: string = FORMS) {
    super(message)
    this.hint = hint
  }
}

const FORMS = '"all", "server/tool" with `*`, a bare name, or [server, /regex/]'
const STARS = /^\*+$/
const GLOBAL: ReadonlySet<string> = new Set(["all", "any"])
/** Flags that change nothing: matching is without case, and a dot is any character. */
const FLAGS = /^[isu]*$/

/** @throws MatcherProblem on what is no matcher. */
export function compileMatcher(matcher: unknown, names: EventRow["names"]): CompiledMatcher {
  if (Array.isArray(matcher)) return compilePair(matcher)
  if (typeof matcher !== "string" || matcher.trim() === "") throw new MatcherProblem("its matcher is none")
  if (GLOBAL.has(matcher) || STARS.test(matcher)) return { ring: "global", test: () => true }
  const [server, name] = split(matcher, names)
  if (server === "" || name === "") throw new MatcherProblem(`the matcher \`${matcher}\` lacks a server or a name`)
  const ofServer = server === undefined ? anything : looseGlob(server)
  if (STARS.test(name)) return { ring: "server", test: (at) => ofServer(at.server, at.foldedServer) }
  const ofName = names === "uri" ? looseGlob(name) : oneSegment(looseGlob(name))
  return {
    ring: "tool",
    test: (at) => ofServer(at.server, at.foldedServer) && ofName(at.name, at.foldedName),
  }
}

const anything: LooseTest = () => true

/** At the first slash: a server's name holds none. In a URI the slash after a scheme does not count. */
function split(matcher: string, names: EventRow["names"]): [server: string | undefined, name: string] {
  const slash = matcher.indexOf("/")
  const before = matcher.slice(0, slash)
  if (slash < 0 || (names === "uri" && before.includes(":"))) return [undefined, matcher]
  return [before, matcher.slice(slash + 1)]
}

/** A tool's name is one segment, whatever its server put into it: a slash must not let it slip through `*`. */
const oneSegment =
  (test: LooseTest): LooseTest =>
  (name, folded) =>
    test(name, folded) || (folded.includes("/") && test(name, folded.replaceAll("/", "\0")))

function compilePair(pair: readonly unknown[]): CompiledMatcher {
  const [server, pattern] = pair
  if (pair.length !== 2 || typeof server !== "string" || server === "" || !isRegExp(pattern)) {
    throw new MatcherProblem("its matcher is neither a text nor a server and a regex")
  }
  if (!FLAGS.test(pattern.flags)) {
    throw new MatcherProblem(
      `the flags \`${pattern.flags}\` of its regex have no effect here`,
      "names are compared without case, and a regex is found anywhere in them",
    )
  }
  const ofServer = looseGlob(server)
  const ofName = regexOf(pattern)
  return {
    ring: "tool",
    test: (at) => ofServer(at.server, at.foldedServer) && ofName(at.name, at.foldedName),
  }
}

const isRegExp = (value: unknown): value is RegExpLike => value instanceof RegExp

function regexOf(pattern: RegExpLike): LooseTest {
  try {
    return looseRegex(pattern)
  } catch (error) {
    if (!(error instanceof PatternError)) throw error
    throw new MatcherProblem(
      `its regex \`${pattern.source}\` cannot be read`,
      "the syntax is RE2's, which runs in linear time: there are no backreferences and no lookaround",
    )
  }
}
