import type { Wildcard } from "./wildcard.ts"

const SPECIAL = new Set("\\^$.|?*+()[]{}")
const CONTROL: Readonly<Record<string, string>> = Object.freeze({ n: "\n", r: "\r", t: "\t" })

/**
 * Reads a regex that is only literals, `.*`, `.+` and `|`, with `^`, `$` or one group around the whole; undefined for
 * any other, which needs the engine. `^` and `$` say nothing here, since every regex is held against the whole text.
 */
export function readSimple(source: string): readonly Wildcard[] | undefined {
  const alternatives: Wildcard[] = []
  let pieces: string[] = []
  let atLeast: (0 | 1)[] = []
  let piece = ""
  const body = withoutGroup(source)
  for (let at = 0; at < body.length; at++) {
    const char = body[at]!
    if (char === "|") {
      alternatives.push({ pieces: [...pieces, piece], atLeast })
      pieces = []
      atLeast = []
      piece = ""
    } else if (char === "^") {
      if (at > 0 && body[at - 1] !== "|") return undefined
    } else if (char === "$") {
      if (at < body.length - 1 && body[at + 1] !== "|") return undefined
    } else if (char === ".") {
      const repeat = body[++at]
      if (repeat !== "*" && repeat !== "+") return undefined
      pieces.push(piece)
      atLeast.push(repeat === "+" ? 1 : 0)
      piece = ""
    } else {
      const literal = char === "\\" ? escaped(body[++at]) : SPECIAL.has(char) ? undefined : char
      if (literal === undefined) return undefined
      piece += literal
    }
    // a repeat after this token changes what the token means
    if ("?*+{".includes(body[at + 1] ?? " ")) return undefined
  }
  alternatives.push({ pieces: [...pieces, piece], atLeast })
  return alternatives
}

/** What a backslash and this character stand for, where that is one certain character. */
const escaped = (char: string | undefined): string | undefined =>
  char === undefined ? undefined : /[!-/:-@[-`{-~]/.test(char) ? char : CONTROL[char]

/** Takes off one group around the whole, with or without `^` and `$` outside of it. */
function withoutGroup(source: string): string {
  const group = /^\^?\((?:\?:)?([^()\\]*)\)\$?$/.exec(source)
  return group ? group[1]! : source
}
