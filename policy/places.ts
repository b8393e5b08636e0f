import { type Document, isAlias, isMap, isPair, isScalar, isSeq, type LineCounter, type Node, type Pair } from "yaml"

/** The way to a value inside a policy: keys and indexes. */
export type Path = readonly (string | number)[]

/** 1-based. */
export interface Place {
  readonly line: number
  readonly column: number
}

/** The folder part of a file's name; undefined for a bare name. Pure: no Node module is at hand. */
export function folderOf(file: string | undefined): string | undefined {
  if (file === undefined) return undefined
  const slash = Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\"))
  return slash > 0 ? file.slice(0, slash) : slash === 0 ? "/" : undefined
}

/** A file's name, starting in the folder of the file that names it. */
export const fileIn = (base: string | undefined, file: string): string =>
  base === undefined || file.startsWith("/") ? file : `${base}/${file}`

/** `/hooks/1/when/tool` */
export const pointerOf = (path: Path): string =>
  path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("")

/** `hooks[1].when.tool`, as people write it. */
export const showPath = (path: Path): string =>
  path.map((part, at) => (typeof part === "number" ? `[${part}]` : at === 0 ? part : `.${part}`)).join("")

const keyText = (key: unknown): string | undefined => (isScalar(key) ? String(key.value) : undefined)

/** The pair of a key in a mapping, also one that a merge key (`<<`) brings in. */
function pairOf(doc: Document, map: unknown, key: string): Pair | undefined {
  if (!isMap(map)) return undefined
  const own = map.items.find((pair) => keyText(pair.key) === key)
  if (own !== undefined) return own
  for (const pair of map.items) {
    if (keyText(pair.key) !== "<<") continue
    const merged = deref(doc, pair.value)
    const found = isSeq(merged)
      ? merged.items.map((item) => pairOf(doc, deref(doc, item), key)).find((hit) => hit !== undefined)
      : pairOf(doc, merged, key)
    if (found !== undefined) return found
  }
  return undefined
}

const deref = (doc: Document, node: unknown): unknown => (isAlias(node) ? node.resolve(doc) : node)

const startOf = (node: unknown): number | undefined => (node as Node | null | undefined)?.range?.[0]

/**
 * Where a value, or its key, stands in a document. What cannot be found has its nearest known ancestor's place.
 */
export function placeOf(doc: Document, lines: LineCounter, path: Path, at: "key" | "value"): Place | undefined {
  const offset = follow(doc, path, at).offset
  return offset === undefined ? undefined : placeAt(lines, offset)
}

/** A part of a text: the value's own text, and the index in it. */
export interface Part {
  readonly text: string
  readonly offset: number
}

/**
 * Where a part of a text stands in a document whose source is `source`: at the same occurrence of the same word. A text that is
 * folded or escaped there has no such place, and the answer is where the text begins.
 */
export function placeWithin(
  doc: Document,
  lines: LineCounter,
  source: string,
  path: Path,
  { text, offset }: Part,
): Place | undefined {
  const { node, offset: start } = follow(doc, path, "value")
  if (start === undefined) return undefined
  const end = (deref(doc, node) as Node | undefined)?.range?.[1] ?? start
  const word = /^\S{1,40}/.exec(text.slice(offset))?.[0]
  let at = -1
  for (let seen = -1; word !== undefined && seen < offset; ) {
    seen = text.indexOf(word, seen + 1)
    at = source.indexOf(word, at < 0 ? start : at + 1)
    if (at < 0 || at >= end) return placeAt(lines, start)
  }
  return placeAt(lines, at < 0 ? start : at)
}

const placeAt = (lines: LineCounter, offset: number): Place => {
  const { line, col } = lines.linePos(offset)
  return { line, column: col }
}

function follow(doc: Document, path: Path, at: "key" | "value"): { node: unknown; offset: number | undefined } {
  let node: unknown = doc.contents
  let offset = startOf(node)
  for (const [index, part] of path.entries()) {
    const within = deref(doc, node)
    const last = index === path.length - 1
    const next = isSeq(within) ? within.items[Number(part)] : pairOf(doc, within, String(part))
    if (next === undefined) break
    node = isPair(next) ? next.value : next
    const key = isPair(next) ? startOf(next.key) : undefined
    offset = last && at === "key" ? (key ?? startOf(node) ?? offset) : (startOf(node) ?? key ?? offset)
  }
  return { node, offset }
}
