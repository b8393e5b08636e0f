import { isObject, type JsonObject, parseJson } from "../effects/json.ts"
import { type Failed, failed } from "../frames/failures.ts"
import type { ModelRequest, Reply, Stop } from "./request.ts"

/** A model's answer, read. */
type Answer = { readonly output: JsonObject } | { readonly failed: Failed }

/**
 * Reads an answer as one JSON object: bare, or in one code fence. An answer that is cut off counts for nothing, also where what
 * is left of it can be read; nothing is mended, and nothing of the text stands in a failure.
 */
export function readAnswer({ text, stop }: Pick<Reply, "text" | "stop">): Answer {
  if (stop !== "end") return { failed: UNFINISHED[stop] }
  const whole = text.replace(/^\uFEFF/, "").trim()
  if (whole === "") return { failed: failed("empty") }
  const inner = whole.startsWith("{") ? whole : fenced(whole)
  if (inner === undefined) return bad("words instead of one JSON object")
  let value: unknown
  try {
    value = parseJson(inner)
  } catch (cause) {
    return bad(/^the key /.test((cause as Error).message) ? "a key that is repeated or not allowed" : "no JSON")
  }
  return isObject(value) ? { output: value } : bad("a value that is no object")
}

/** Reads an answer as it was asked for. */
export const readReply = ({ schema }: Pick<ModelRequest, "schema">, reply: Pick<Reply, "text" | "stop">): Answer =>
  schema ? readAnswer(reply) : readWords(reply)

/** Reads an answer in words, as it is: only one that is cut off counts for nothing. */
const readWords = ({ text, stop }: Pick<Reply, "text" | "stop">): Answer =>
  stop === "end" ? { output: { text } } : { failed: UNFINISHED[stop] }

const UNFINISHED: Readonly<Record<Exclude<Stop, "end">, Failed>> = Object.freeze({
  refused: failed("model-refused"),
  length: failed("truncated"),
  unknown: failed("model-error", { detail: "nothing says that the answer is whole" }),
})

const bad = (detail: string): Answer => ({ failed: failed("bad-output", { detail }) })

/** The first line of a code fence: the marks, and one word for the language; more could be a verdict that nobody reads. */
const OPENING = /^(`{3,}|~{3,})[ \t]*[\w.+-]*[ \t]*$/

/**
 * What is in the one fence of a text; undefined where there is none, more than one, or an object outside of it. Line by line:
 * what a model writes must not cost more than its length.
 */
function fenced(text: string): string | undefined {
  const lines = text.split(/\r?\n/)
  const first = lines.findIndex((line) => OPENING.test(line))
  const mark = OPENING.exec(lines[first] ?? "")?.[1]
  if (mark === undefined) return undefined
  const last = lines.findIndex((line, at) => at > first && line.trimEnd() === mark)
  if (last < 0) return undefined
  const around = [...lines.slice(0, first), ...lines.slice(last + 1)]
  return around.some((line) => /[{}]|`{3}|~{3}/.test(line))
    ? undefined
    : lines
        .slice(first + 1, last)
        .join("\n")
        .trim()
}
