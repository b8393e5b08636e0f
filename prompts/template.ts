import { pathReader } from "../effects/own.ts"

/** A text with `@placeholders`, ready to be filled in. */
export interface Template {
  /** The text with each placeholder replaced by its value as JSON; a value that is missing is `null`. */
  render(event: unknown): string
  /** the placeholders in order: their dotted path, and the index of the at sign in the text */
  readonly placeholders: readonly { readonly path: string; readonly offset: number }[]
  /** what looks like a placeholder, but has a root that nobody knows: it stays as it is */
  readonly unknown: readonly { readonly name: string; readonly offset: number }[]
}

/**
 * An at sign written twice, or one at the start of a word with its path: names, or digits that are a whole part, joined by dots.
 * What stands before the at sign is looked at, not taken, so that placeholders can follow each other.
 */
const AT = /@@|(?<!\w)@((?:[A-Za-z_][\w-]*|\d+(?![\w-]))(?:\.(?:[A-Za-z_][\w-]*|\d+(?![\w-])))*)/g

/**
 * Compiles a text once. `@name` and `@path.to.value` stand for values of the event, always JSON-encoded and never pasted, with
 * `<`, `>`, `&` and the two line separators escaped, so that no value can end the literal, a tag or a line around it.
 *
 * `@@` is a literal at sign. A root that is not in `roots` is literal text and is listed in `unknown`.
 */
export function compileTemplate(text: string, { roots }: { readonly roots: Iterable<string> }): Template {
  const known = new Set(roots)
  const placeholders: { path: string; offset: number }[] = []
  const unknown: { name: string; offset: number }[] = []
  const texts: string[] = []
  let literal = ""
  let end = 0
  for (const match of text.matchAll(AT)) {
    const [whole, path] = match
    const offset = match.index
    if (path !== undefined && !known.has(rootOf(path))) {
      unknown.push({ name: rootOf(path), offset })
      continue
    }
    literal += text.slice(end, offset)
    end = offset + whole.length
    if (path === undefined) {
      literal += "@"
      continue
    }
    placeholders.push({ path, offset })
    texts.push(literal)
    literal = ""
  }
  const last = literal + text.slice(end)
  return { render: renderer(texts, placeholders, last), placeholders, unknown }
}

const rootOf = (path: string): string => {
  const dot = path.indexOf(".")
  return dot < 0 ? path : path.slice(0, dot)
}

function renderer(texts: readonly string[], placeholders: Template["placeholders"], last: string): Template["render"] {
  if (texts.length === 0) return () => last
  const readers = placeholders.map(({ path }) => pathReader(path))
  return (event) => {
    let filled = ""
    for (let i = 0; i < texts.length; i++) filled += texts[i]! + encodeValue(readers[i]!(event))
    return filled + last
  }
}

/** Printable ASCII that stands for itself in JSON and in markup. */
const PLAIN = /^[ !#-%'-;=?-[\]-~]*$/
const UNSAFE = /[<>&\u2028\u2029]/

/** A value as JSON that can stand in markup and in a script; what JSON cannot say is `null`. */
export function encodeValue(value: unknown): string {
  // most values are names and paths, and asking whether a text is plain costs less than encoding it
  if (typeof value === "string" && PLAIN.test(value)) return `"${value}"`
  const json = JSON.stringify(value) as string | undefined
  if (json === undefined) return "null"
  const first = json.search(UNSAFE)
  return first < 0 ? json : escaped(json, first)
}

/** Walks the text once: a `replace` that calls a function for each character takes more than twice as long. */
function escaped(json: string, first: number): string {
  let made = ""
  let from = 0
  for (let at = first; at < json.length; at++) {
    const safe = escapeOf(json.charCodeAt(at))
    if (safe === undefined) continue
    made += json.slice(from, at) + safe
    from = at + 1
  }
  return made + json.slice(from)
}

/** What stands in place of a character: `<`, `>`, `&` and the two line separators. */
function escapeOf(code: number): string | undefined {
  if (code === 0x3c) return "\\u003c"
  if (code === 0x3e) return "\\u003e"
  if (code === 0x26) return "\\u0026"
  if (code === 0x2028) return "\\u2028"
  return code === 0x2029 ? "\\u2029" : undefined
}
