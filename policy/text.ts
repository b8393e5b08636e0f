import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, type Pair, parseDocument } from "yaml"
import { withoutMark } from "../effects/json.ts"
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
  const doc = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    uniqueKeys: false,
    merge: true,
    logLevel: "error",
  })
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
  if (problems.some(({ message }) => message === KEY_IS_NO_TEXT)) return answer(undefined, problems)
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

const sentence = (text: string): string => (text.charAt(0).toLowerCase() + text.slice(1)).replace(/\.$/, "")

function yamlProblems(doc: Document, at: (offset: number) => Place): TextProblem[] {
  return [...doc.errors, ...doc.warnings].map((error) =>
    error.code === "MULTIPLE_DOCS"
      ? { message: "a policy is one document, and here a second one begins", place: at(error.pos[0]) }
      : { message: `this is no YAML: ${sentence(error.message)}`, place: at(error.pos[0]) },
  )
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
  if (isMap(node)) yield* mapProblems(node.items, path, at)
  else if (isSeq(node))
    for (const [index, item] of node.items.entries()) yield* nodeProblems(item, [...path, index], at)
  else if (isScalar(node) && typeof node.value === "number" && !Number.isFinite(node.value)) {
    yield { message: "a policy holds no such number", pointer: pointerOf(path), ...placed(node, at) }
  }
}

function* mapProblems(pairs: readonly Pair[], path: Path, at: (offset: number) => Place): Generator<TextProblem> {
  const seen = new Set<string>()
  for (const { key, value } of pairs) {
    const name = isScalar(key) ? String(key.value) : undefined
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
