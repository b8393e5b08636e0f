import { compileGlob } from "../../policy/match/glob.ts"
import { compileRegex } from "../../policy/match/regex.ts"
import type { RegExpLike } from "./types.ts"

/** A name for loose comparison: without case, and with `-`, `.` and `_` alike. */
export const fold = (name: string): string => name.toUpperCase().toLowerCase().replaceAll(/[-.]/g, "_")

/** A test of a name, given as it is and folded. */
export type LooseTest = (name: string, folded: string) => boolean

/** A glob, held against the whole name. */
export function looseGlob(glob: string): LooseTest {
  const fits = compileGlob(fold(glob))
  return (_, folded) => fits(folded)
}

/**
 * A regex, found anywhere in the name, in linear time: the name comes from a server that nobody vouches for.
 *
 * It is held against the name as it is and against the folded one, for which its own separators are folded, too.
 *
 * @throws PatternError on a regex that RE2 cannot read
 */
export function looseRegex({ source }: RegExpLike): LooseTest {
  const raw = compileRegex(`(?i).*(?:${source}).*`)
  const loose = compileRegex(`(?i).*(?:${foldRegex(source)}).*`)
  return (name, folded) => raw(name) || loose(folded)
}

/** `-`, `\-`, `\.` and, in a class, `.` become `_`; a range stays as it is, and a bare dot any character. */
export function foldRegex(source: string): string {
  let folded = ""
  let inside = false
  for (let at = 0; at < source.length; at++) {
    const char = source[at]!
    const next = source[at + 1]
    if (char === "\\") {
      folded += next === "-" || next === "." ? "_" : char + (next ?? "")
      at++
      continue
    }
    if (inside) {
      const dot = char === "." && next !== "-" && source[at - 1] !== "-"
      const opens = source[at - 1] === "[" || source.slice(at - 2, at) === "[^"
      folded += dot || (char === "-" && (opens || next === "]")) ? "_" : char
      if (char === "]") inside = false
    } else {
      folded += char === "-" ? "_" : char
      inside = char === "["
    }
  }
  return folded
}
