import type { JsonObject } from "../effects/json.ts"

/** A placeholder of a template: the path into the event, and where it stands in the text. */
export interface Placeholder {
  /** `args.path`, without the at sign */
  readonly path: string
  /** in UTF-16 units from the start of the text */
  readonly offset: number
}

/** A text with `@placeholders`, compiled once. */
export interface Template {
  /** The text with each placeholder's value in JSON; a known path that is missing is `null`. */
  render(event: JsonObject): string
  readonly placeholders: readonly Placeholder[]
  /** what looks like a placeholder and has a root that no event here carries: it stays literal text */
  readonly unknown: readonly Placeholder[]
}

/** `@@`, or `@` and a path of names and digits; a dot that no name follows is text. */
const PLACEHOLDER = /@@|@([A-Za-z_][\w-]*(?:\.(?:[A-Za-z_][\w-]*|\d+))*)/g
const WORD = /\w/

/**
 * Compiles a text in which `@path` stands for a value of the event.
 *
 * Values are JSON-encoded and never pasted, so none can end the literal, or the tag, that it stands in.
 *
 * @param roots the fields that an event may carry
 */
export function compileTemplate(text: string, { roots }: { readonly roots: readonly string[] }): Template {
  const placeholders: Placeholder[] = []
  const unknown: Placeholder[] = []
  const texts: string[] = []
  const reads: ((event: JsonObject) => unknown)[] = []
  let literal = ""
  let at = 0
  for (const match of text.matchAll(PLACEHOLDER)) {
    const offset = match.index
    literal += text.slice(at, offset)
    at = offset + match[0].length
    const path = match[1]
    if (path === undefined) literal += "@"
    else if (offset > 0 && WORD.test(text[offset - 1]!)) literal += match[0]
    else if (!roots.includes(path.split(".")[0]!)) {
      unknown.push({ path, offset })
      literal += match[0]
    } else {
      placeholders.push({ path, offset })
      texts.push(literal)
      reads.push(reader(path))
      literal = ""
    }
  }
  const rest = literal + text.slice(at)
  const render = (event: JsonObject) => {
    let rendered = ""
    for (let index = 0; index < reads.length; index++) rendered += texts[index]! + encode(reads[index]!(event))
    return rendered + rest
  }
  return { render, placeholders, unknown }
}

/** Reads a dotted path, own members only. */
function reader(path: string): (event: JsonObject) => unknown {
  const names = path.split(".")
  return (event) => {
    let value: unknown = event
    for (const name of names) {
      if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return null
      if (Array.isArray(value) && name === "length") return null
      value = (value as JsonObject)[name]
    }
    return value
  }
}

/** What could end a tag, a script or a line around the literal. */
const UNSAFE = /[<>&\u2028\u2029]/
const EVERY_UNSAFE = /[<>&\u2028\u2029]/g

/** JSON in which no character can end what stands around it. */
export function encode(value: unknown): string {
  const json = JSON.stringify(value) ?? "null"
  if (!UNSAFE.test(json)) return json
  return json.replace(EVERY_UNSAFE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`)
}
