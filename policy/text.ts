import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, type Pair, parseDocument } from "yaml"
import { withoutMark } from "../effects/json.ts"
import { MAX_DEPTH } from "../effects/plain.ts"
import { findJsonFault } from "./json-fault.ts"
import { type Part, type Path, type Place, placeOf, placeWithin, pointerOf } from "./places.ts"

/** Something wrong with the text itself. */
export interface TextProblem {
  readonly message: string
  readonly hint?: string
  readonly place?: Place
  readonly pointer?: string
}

/** A policy's text as a value that knows where everything in it stands. */
export interface PolicyText {
  readonly value: unknown
  readonly problems: readonly TextProblem[]
  /** @param part a place inside a text */
  locate(path: Path, at: "key" | "value", part?: Part): Place | undefined
}

/** How many times anchors may be repeated: more is a text that grows beyond all measure. */
const MAX_ALIASES = 100

/**
 * Reads YAML, or strict JSON where the file's name ends in `.json`. A mark at the start is dropped; repeated keys,
 * `__proto__` keys, unknown tags, numbers that are no JSON and several documents are problems, never silently mended.
 */
export function readPolicyText(given: string, json: boolean): PolicyText {
  const text = withoutMark(given)
  const lines = new LineCounter()
  const doc = documentOf(text, lines)
  if (doc === undefined) return { value: undefined, problems: [TOO_DEEP], locate: () => undefined }
  const at = (offset: number): Place => {
    const { line, col } = lines.linePos(offset)
    return { line, column: col }
  }
  const locate = (path: Path, which: "key" | "value", part?: Part) =>
    part ? placeWithin(doc, lines, text, path, part) : placeOf(doc, lines, path, which)
  const answer = (value: unknown, problems: readonly TextProblem[]): PolicyText => ({ value, problems, locate })

  if (text.trim() === "" || (doc.errors.length === 0 && isNothing(doc.contents))) {
    return answer(undefined, [EMPTY])
  }
  const syntax = json ? jsonProblems(text, at) : yamlProblems(doc, at)
  if (syntax.length > 0) return answer(undefined, syntax)

  const problems = [...nodeProblems(doc.contents, [], at)]
  if (problems.some(({ message }) => UNREADABLE.includes(message))) return answer(undefined, problems)
  try {
    return answer(json ? JSON.parse(text) : doc.toJS({ maxAliasCount: MAX_ALIASES }), problems)
  } catch {
    // The only thing that a document without errors can trip over.
    const message = "its anchors are repeated too often"
    return answer(undefined, [...problems, { message, hint: `at most ${MAX_ALIASES} repetitions are taken` }])
  }
}

const EMPTY: TextProblem = { message: "the policy is empty", hint: "the least policy is `version: 1`" }

const isNothing = (contents: unknown): boolean => contents === null || (isScalar(contents) && contents.value === null)

const KEY_IS_NO_TEXT = "a key must be a text"

const TOO_DEEP: TextProblem = { message: `the policy is nested more than ${MAX_DEPTH} levels deep` }

/** With one of these there is no value. */
const UNREADABLE: readonly string[] = [KEY_IS_NO_TEXT, TOO_DEEP.message]

/** undefined: it is nested so deeply that not even its reader gets to the end. */
function documentOf(text: string, lineCounter: LineCounter): Document | undefined {
  try {
    return parseDocument(text, { lineCounter, prettyErrors: false, uniqueKeys: false, merge: true, logLevel: "error" })
  } catch (cause) {
    if (cause instanceof RangeError) return undefined
    throw cause
  }
}

const sentence = (text: string): string => (text.charAt(0).toLowerCase() + text.slice(1)).replace(/\.$/, "")

function yamlProblems(doc: Document, at: (offset: number) => Place): TextProblem[] {
  return [...doc.errors, ...doc.warnings].map(({ code, message, pos }) => {
    const place = at(pos[0])
    if (code === "MULTIPLE_DOCS") return { message: "a policy is one document, and here a second one begins", place }
    // The reader's own overflow is one of its errors.
    if (/call stack/.test(message)) return { ...TOO_DEEP, place }
    return { message: `this is no YAML: ${sentence(message)}`, place }
  })
}

function jsonProblems(text: string, at: (offset: number) => Place): TextProblem[] {
  try {
    JSON.parse(text)
    return []
  } catch {
    const fault = findJsonFault(text) ?? { offset: text.length, message: "it cannot be read" }
    return [{ message: `this is no JSON: ${fault.message}`, place: at(fault.offset) }]
  }
}

function* nodeProblems(node: unknown, path: Path, at: (offset: number) => Place): Generator<TextProblem> {
  if (path.length > MAX_DEPTH) yield { ...TOO_DEEP, ...placed(node, at) }
  else if (isMap(node)) yield* mapProblems(node.items, path, at)
  else if (isSeq(node))
    for (const [index, item] of node.items.entries()) yield* nodeProblems(item, [...path, index], at)
  else if (isScalar(node) && typeof node.value === "number" && !Number.isFinite(node.value)) {
    yield { message: "a policy holds no such number", pointer: pointerOf(path), ...placed(node, at) }
  }
}

function* mapProblems(pairs: readonly Pair[], path: Path, at: (offset: number) => Place): Generator<TextProblem> {
  const seen = new Set<string>()
  for (const { key, value } of pairs) {
    // The merge key's value is a symbol.
    const name = isScalar(key) ? (typeof key.value === "symbol" ? "<<" : String(key.value)) : undefined
    if (name === undefined || isAlias(key)) {
      yield { message: KEY_IS_NO_TEXT, pointer: pointerOf(path), ...placed(key, at) }
      continue
    }
    const here = [...path, name]
    const where = { pointer: pointerOf(here), ...placed(key, at) }
    if (name === "__proto__") yield { message: "the key `__proto__` is not allowed", ...where }
    if (seen.has(name)) yield { message: `the key \`${name}\` is written twice`, hint: "keep one of them", ...where }
    seen.add(name)
    yield* nodeProblems(value, here, at)
  }
}

function placed(node: unknown, at: (offset: number) => Place): { place?: Place } {
  const offset = (node as Node | null)?.range?.[0]
  return offset === undefined ? {} : { place: at(offset) }
}
