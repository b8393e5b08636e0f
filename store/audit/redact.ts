import { canonicalJson, isObject, type JsonObject, put } from "../../effects/json.ts"
import { sha256 } from "./chain.ts"
import type { Decision } from "./row.ts"

/** The same value stands in several places of a row: a rule about it is about all of them. */
const PLACES: Readonly<Record<string, readonly string[]>> = Object.freeze({
  input: ["input", "sent", "frames.*.original", "frames.*.propose.input"],
  result: ["frames.*.original", "frames.*.propose.result"],
})

/** The same in an event, as `observe` hooks and readers of events get it. */
const IN_EVENTS: Readonly<Record<string, readonly string[]>> = Object.freeze({
  input: ["args", "prompt", "input", "original", "propose.input"],
  sent: ["args", "prompt"],
  result: ["result", "original", "propose.result"],
  refusal: ["refuse"],
})

/** Hides what the rules name. */
export type Redact = (decision: Decision) => Decision

/**
 * Makes the rules ready: each is a path of names joined by dots, `*` for every member or item. What a path leads to is
 * replaced by its hash and its size before anything is written.
 */
export function redactor(rules: readonly string[]): Redact {
  const paths = pathsOf(rules, PLACES)
  return (decision) => paths.reduce<unknown>((value, path) => hide(value, path, 0), decision) as Decision
}

/** The same rules for what is published; what they say of frames is about hooks' own events. */
export function eventRedactor(rules: readonly string[]): <T extends JsonObject>(event: T) => T {
  const own = rules.map((rule) => rule.replace(/^frames\.(?:\*|\d+)\./, ""))
  const paths = pathsOf(own, IN_EVENTS)
  return (event) => {
    const hiding = paths.reduce<unknown>((value, path) => hide(value, path, 0), event) as typeof event
    // What a call is aimed at is a part of its input, said again.
    return hiding.args === event.args || event.target === undefined
      ? hiding
      : { ...hiding, target: hidden(event.target) }
  }
}

const pathsOf = (rules: readonly string[], places: typeof PLACES): (readonly string[])[] =>
  rules.flatMap((rule) => {
    const [root = "", ...rest] = rule.split(".")
    const roots = Object.hasOwn(places, root) ? places[root]! : [root]
    return roots.map((start) => [...start.split("."), ...rest])
  })

/** A copy along the path alone; what is not there stays not there. */
function hide(value: unknown, path: readonly string[], at: number): unknown {
  if (at === path.length) return isHidden(value) ? value : hidden(value)
  const name = path[at]!
  if (Array.isArray(value)) {
    return value.map((item, index) => (name === "*" || name === String(index) ? hide(item, path, at + 1) : item))
  }
  if (!isObject(value) || !(name === "*" || Object.hasOwn(value, name))) return value
  const copy: JsonObject = {}
  for (const [key, member] of Object.entries(value)) {
    put(copy, key, name === "*" || name === key ? hide(member, path, at + 1) : member)
  }
  return copy
}

function hidden(value: unknown): JsonObject {
  const text = canonicalJson(value)
  return { sha256: sha256(text), bytes: Buffer.byteLength(text) }
}

/** What two rules name is hidden once. */
const isHidden = (value: unknown): boolean =>
  isObject(value) &&
  Object.keys(value).length === 2 &&
  /^[0-9a-f]{64}$/.test(String(value.sha256)) &&
  typeof value.bytes === "number"
