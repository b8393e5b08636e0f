import { parseJson } from "../../effects/json.ts"

/** A value of a JSON text, and where it stands: changes are made to the text, so that all else stays as it was written. */
export interface JsonNode {
  readonly start: number
  readonly end: number
  readonly value: unknown
  /** of an object or a list */
  readonly children?: readonly JsonChild[]
}

export interface JsonChild {
  /** absent in a list */
  readonly key?: string
  /** of the key, where there is one */
  readonly start: number
  readonly node: JsonNode
}

/**
 * Reads a JSON text, and where each value of it stands.
 *
 * @throws SyntaxError on all that `parseJson` refuses.
 */
export function readJsonText(text: string): JsonNode {
  parseJson(text)
  return new Reader(text).node()
}

class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  node(): JsonNode {
    const start = this.#skip()
    const first = this.#text[start]
    if (first === "{" || first === "[") return this.#container(start, first === "{")
    return this.#scalar(start)
  }

  /** To the next character that says something; a byte-order mark says nothing. */
  #skip(): number {
    while (/[\s\uFEFF]/.test(this.#text[this.#at] ?? "")) this.#at++
    return this.#at
  }

  #container(start: number, keyed: boolean): JsonNode {
    const children: JsonChild[] = []
    this.#at++
    for (;;) {
      const at = this.#skip()
      const char = this.#text[at]
      if (char === "}" || char === "]") break
      if (char === ",") {
        this.#at++
        continue
      }
      children.push(keyed ? this.#member(at) : { start: at, node: this.node() })
    }
    const end = ++this.#at
    const value = keyed
      ? Object.fromEntries(children.map(({ key, node }) => [key, node.value]))
      : children.map(({ node }) => node.value)
    return { start, end, value, children }
  }

  #member(start: number): JsonChild {
    const key = this.#scalar(start).value as string
    this.#skip()
    this.#at++
    return { key, start, node: this.node() }
  }

  #scalar(start: number): JsonNode {
    const pattern = /"(?:[^"\\]|\\.)*"|[^\s,:\]}]+/sy
    pattern.lastIndex = start
    const [token = ""] = pattern.exec(this.#text) ?? []
    this.#at = start + token.length
    return { start, end: this.#at, value: JSON.parse(token) }
  }
}

/** A member of an object, or an item of a list. */
export const childOf = (node: JsonNode | undefined, key: string | number): JsonNode | undefined =>
  typeof key === "number" ? node?.children?.[key]?.node : node?.children?.find((child) => child.key === key)?.node

/** Adds a value at the end of an object or a list, laid out as its neighbours are. */
export function append(text: string, parent: JsonNode, value: unknown, key?: string): string {
  const [first] = parent.children ?? []
  const last = parent.children?.at(-1)
  const newline = text.includes("\r\n") ? "\r\n" : "\n"
  const name = key === undefined ? "" : `${JSON.stringify(key)}: `
  const unit = /\n([ \t]+)\S/.exec(text)?.[1] ?? "  "
  const spread = (indent: string): string =>
    `${name}${JSON.stringify(value, null, unit)}`.replaceAll("\n", `${newline}${indent}`)
  if (!first || !last) {
    const outer = indentAt(text, parent.start)
    const inner = `${newline}${outer}${unit}${spread(outer + unit)}${newline}${outer}`
    return `${text.slice(0, parent.start + 1)}${inner}${text.slice(parent.end - 1)}`
  }
  const { end } = last.node
  const inLine = !text.slice(parent.start, first.start).includes("\n")
  const indent = indentAt(text, first.start)
  const more = inLine ? `, ${name}${JSON.stringify(value)}` : `,${newline}${indent}${spread(indent)}`
  return text.slice(0, end) + more + text.slice(end)
}

/** Takes one member or item out, with the comma that belongs to it. */
export function without(text: string, parent: JsonNode, index: number): string {
  const children = parent.children ?? []
  const [before, gone, after] = [children[index - 1], children[index]!, children[index + 1]]
  if (before) return text.slice(0, before.node.end) + text.slice(gone.node.end)
  if (after) return text.slice(0, gone.start) + text.slice(after.start)
  return text.slice(0, parent.start + 1) + text.slice(parent.end - 1)
}

const indentAt = (text: string, at: number): string => {
  const line = text.slice(text.lastIndexOf("\n", at - 1) + 1, at)
  return /^[ \t]*/.exec(line)![0]
}

/** The line of a place in a text, 1-based. */
export const lineOf = (text: string, at: number): number => text.slice(0, at).split("\n").length
