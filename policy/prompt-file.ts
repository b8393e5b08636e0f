import { isObject, withoutMark } from "../effects/json.ts"
import type { Finding } from "./findings.ts"
import { problemsOfIssues } from "./issues.ts"
import { type Part, type Path, type Place, pointerOf } from "./places.ts"
import { frontMatterSchema, type ModelOptions } from "./prompt.ts"
import { readPolicyText } from "./text.ts"

/** A prompt's file: Markdown, with how the model is asked in front of it. */
export interface PromptFile {
  readonly body: string
  readonly options: ModelOptions
  readonly findings: readonly Finding[]
  /** where in the file a place of the body is */
  placeOf(offset: number): Place
  /** where in the file a value of the front matter is, or a part of it */
  locate(path: Path, part?: Part): Place | undefined
}

const KEYS = Object.keys(frontMatterSchema.shape)

/** The front matter between two lines of three dashes, at the very start; group 1 is its text. */
const FRONT = /^---[ \t]*\r?\n([\s\S]*?)(?<=\n)---[ \t]*(?:\r?\n|$)/

/**
 * Reads a prompt's file: YAML as strict as a policy's between two lines of `---`, then the text. Space around the text is no
 * part of it.
 *
 * @param shown the file's name in findings
 */
export function readPromptFile(given: string, shown: string): PromptFile {
  const file = withoutMark(given)
  const front = FRONT.exec(file)
  const head = front?.[1] ?? ""
  const rest = file.slice(front?.[0].length ?? 0)
  const body = rest.trim()
  const start = file.length - rest.trimStart().length
  const findings: Finding[] = []
  const add = (message: string, place: Place | undefined, more: Partial<Finding> = {}) =>
    findings.push({ severity: "error", message, ...more, file: shown, ...place })

  if (!front && file.startsWith("---")) add("the front matter is not closed", { line: 1, column: 1 }, CLOSE)
  if (body === "") add("the prompt is empty", placeIn(file, start))
  const read = readPolicyText(head.trim() === "" ? "{}" : head, false)
  // The front matter starts on the second line.
  const below = (place: Place | undefined) => place && { ...place, line: place.line + 1 }
  const locate = (path: Path, at: "key" | "value" = "value", part?: Part) => below(read.locate(path, at, part))
  for (const { message, place, hint } of read.problems) {
    add(message.replace("policy", "front matter"), below(place), hint === undefined ? {} : { hint })
  }
  const checked = frontMatterSchema.safeParse(read.value)
  if (!checked.success && read.value !== undefined) {
    for (const { path, at, message, hint } of problemsOfIssues(checked.error.issues, read.value, KEYS)) {
      const said = message.replace(/^(a|the) policy/, "the front matter")
      add(said, locate(path, at), { ...(hint === undefined ? {} : { hint }), pointer: pointerOf(path) })
    }
  }
  const options = checked.success && isObject(read.value) ? withoutDescription(read.value) : {}
  return {
    body,
    options,
    findings,
    placeOf: (offset) => placeIn(file, start + offset),
    locate: (path, part) => locate(path, "value", part),
  }
}

const CLOSE = { hint: "end it with a line of `---`" }

function withoutDescription({ description: _, ...options }: ModelOptions & { readonly description?: unknown }) {
  return options as ModelOptions
}

/** 1-based. */
export function placeIn(text: string, offset: number): Place {
  const before = text.slice(0, offset)
  return { line: before.split("\n").length, column: offset - before.lastIndexOf("\n") }
}
