import { isObject, type JsonObject, parseJson } from "../effects/json.ts"
import { type Failed, failed } from "../frames/failures.ts"
import type { Reply } from "./request.ts"

/** A model's answer, read. */
export type Answer = { readonly output: JsonObject } | { readonly failed: Failed }

/**
 * Reads an answer as one JSON object: bare, or in one code fence. An answer that is cut off counts for nothing, also where what
 * is left of it can be read; nothing is mended, and nothing of the text stands in a failure.
 */
export function readAnswer({ text, stop }: Reply): Answer {
  if (stop === "refused") return { failed: failed("model-refused") }
  if (stop === "length") return { failed: failed("truncated") }
  const whole = text.replace(/^\uFEFF/, "").trim()
  if (whole === "") return { failed: failed("empty") }
  const inner = whole.startsWith("{") ? whole : fenced(whole)
  if (inner === undefined) return bad("words instead of one JSON object")
  let value: unknown
  try {
    value = parseJson(inner)
  } catch (cause) {
    return bad(/twice|__proto__/.test((cause as Error).message) ? "a key that is repeated or not allowed" : "no JSON")
  }
  return isObject(value) ? { output: value } : bad("a value that is no object")
}

const bad = (detail: string): Answer => ({ failed: failed("bad-output", { detail }) })

/** A code fence: the marks, a word for the language, the lines, and the same marks at the start of a line. */
const FENCE = /^(`{3,}|~{3,})[^\n`]*\r?\n([\s\S]*?)\r?\n?^\1[ \t]*$/gm

/** What is in the one fence of a text; undefined where there is none, more than one, or an object outside of it. */
function fenced(text: string): string | undefined {
  const fences = [...text.matchAll(FENCE)]
  const [only] = fences
  if (!only || fences.length > 1) return undefined
  const around = text.slice(0, only.index) + text.slice(only.index + only[0].length)
  return /[{}]|`{3}|~{3}/.test(around) ? undefined : only[2]!.trim()
}
