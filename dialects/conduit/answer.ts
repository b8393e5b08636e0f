import { snapshot } from "../../effects/json.ts"
import { isJson, isPlain, MAX_DEPTH } from "../../effects/plain.ts"

/** The verbs of all events. There is no `allow`. */
const VERBS = ["cont", "deny", "halt", "recover"] as const
export type Verb = (typeof VERBS)[number]

/** What a hook said: a verb, with its value where it gave one. */
export interface Said {
  readonly verb: Verb
  readonly value?: unknown
}

const isVerb = (word: unknown): word is Verb => VERBS.some((verb) => verb === word)

/**
 * Reads `"cont"`, `{ verb: value }` or `["verb", value]`, every part of it once; undefined for anything else, such as
 * `undefined`, `true`, `"allow"`, two verbs, or a value that JSON cannot carry.
 */
export function readSaid(answer: unknown): Said | undefined {
  if (answer === "cont") return { verb: "cont" }
  const said = Array.isArray(answer) ? [...answer] : isPlain(answer) ? Object.entries(answer).flat() : []
  if (said.length !== 2 || !isVerb(said[0])) return undefined
  const value = withoutAbsent(snapshot(said[1]))
  return isJson(value) ? { verb: said[0], value } : undefined
}

/** Members that are `undefined` are absent, as in JSON. */
function withoutAbsent(value: unknown, depth = 0): unknown {
  if (depth >= MAX_DEPTH) return value
  if (Array.isArray(value)) return value.map((item) => withoutAbsent(item, depth + 1))
  if (!isPlain(value)) return value
  const there = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(there.map(([key, member]) => [key, withoutAbsent(member, depth + 1)]))
}
