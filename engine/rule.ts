import { copyJson, freezeJson, isObject, type JsonObject } from "../effects/json.ts"
import { compileLogic } from "../policy/logic/compile.ts"
import { compileTemplate } from "../prompts/template.ts"

/** A rule's output for an event. */
export interface CompiledRule {
  /** the result, where no part of it depends on the event */
  readonly fixed?: { readonly output: JsonObject }
  /** @throws ConditionError where a computed value cannot be computed */
  output(event: JsonObject): JsonObject
}

type Part = (event: JsonObject) => unknown

/**
 * Compiles a rule once: texts become templates, `{logic: …}` becomes a closure, the rest stays as it is.
 *
 * @param roots the names of the event's fields that placeholders may stand for
 */
export function compileRule(given: JsonObject, roots: readonly string[]): CompiledRule {
  // INVARIANT: nobody who is shown an output can change what the rule says next (test/engine/sharing.test.ts).
  const rule = freezeJson(copyJson(given))
  const part = compilePart(rule, roots)
  if (part === undefined) return { fixed: { output: rule }, output: () => rule }
  return { output: part as (event: JsonObject) => JsonObject }
}

/** undefined: this value is the same for every event. */
function compilePart(value: unknown, roots: readonly string[]): Part | undefined {
  if (typeof value === "string") return compileText(value, roots)
  if (Array.isArray(value)) return compileList(value, roots)
  if (!isObject(value)) return undefined
  const keys = Object.keys(value)
  if (keys.length === 1 && keys[0] === "logic") return compileLogic(value.logic)
  return compileMembers(value, keys, roots)
}

function compileText(text: string, roots: readonly string[]): Part | undefined {
  if (!text.includes("@")) return undefined
  const template = compileTemplate(text, { roots })
  return (event) => template.render(event)
}

function compileList(list: readonly unknown[], roots: readonly string[]): Part | undefined {
  const parts = list.map((item) => compilePart(item, roots))
  if (parts.every((part) => part === undefined)) return undefined
  return (event) => list.map((item, index) => parts[index]?.(event) ?? item)
}

function compileMembers(value: JsonObject, keys: readonly string[], roots: readonly string[]): Part | undefined {
  const parts = keys.map((key) => [key, compilePart(value[key], roots)] as const)
  if (parts.every(([, part]) => part === undefined)) return undefined
  return (event) => {
    const made: JsonObject = {}
    for (const [key, part] of parts) {
      made[key] = part ? part(event) : value[key]
    }
    return made
  }
}
