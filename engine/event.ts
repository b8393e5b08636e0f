import type { JsonObject } from "../effects/json.ts"
import { isObject } from "../effects/json.ts"
import type { Phase } from "../policy/phases.ts"
import { describeTool } from "../policy/tools.ts"

/** What `eventOf` writes itself; a `__proto__` member is no field of any event. */
const OURS: ReadonlySet<string> = new Set(["on", "phase", "caller", "args", "kind", "target", "__proto__"])

/**
 * The event as hooks see it: `on`, `phase` and `caller` are ours to say, and a call carries what its tool does (`kind`)
 * and is about (`target`), from the table of known tools unless the event says it.
 */
export function eventOf(on: string, phase: Phase, given: JsonObject, caller: JsonObject): JsonObject {
  const event = aboutTool(on) ? toolOf(on, phase, given, caller) : othersOf(on, phase, given, caller)
  // Member by member: an object literal that begins with a spread takes a hundred times longer in Node 20.
  for (const name of Object.keys(given)) if (!OURS.has(name)) event[name] = given[name]
  return event
}

const aboutTool = (on: string): boolean => on === "call" || on === "permission"

function toolOf(
  on: string,
  phase: Phase,
  { args = {}, kind, target, server, tool }: JsonObject,
  caller: JsonObject,
): JsonObject {
  if (kind !== undefined && target !== undefined) return { on, phase, caller, args, kind, target }
  const known = describeTool(String(server), String(tool), isObject(args) ? args : {})
  return { on, phase, caller, args, kind: kind ?? known.kind, target: target ?? known.target }
}

function othersOf(on: string, phase: Phase, { args, kind, target }: JsonObject, caller: JsonObject): JsonObject {
  const event: JsonObject = { on, phase, caller }
  if (args !== undefined) event.args = args
  if (kind !== undefined) event.kind = kind
  if (target !== undefined) event.target = target
  return event
}

/**
 * The next version of an event with another input: what it is about is read anew, since the old target is stale.
 *
 * @param input what stands in the place of the arguments, or of a prompt's text
 */
export function withInput(event: JsonObject, input: unknown, meta: JsonObject | undefined): JsonObject {
  const next: JsonObject = { ...event, [inputField(event)]: input }
  if (meta !== undefined) next.meta = meta
  if (event.on === "call") {
    next.target = describeTool(String(event.server), String(event.tool), isObject(input) ? input : {}).target
  }
  return next
}

/** The field that `input` replaces before the operation. */
const inputField = (event: JsonObject): "args" | "prompt" => (event.on === "prompt" ? "prompt" : "args")

/** What `input` replaces before the operation, as it is now. */
export const inputOf = (event: JsonObject): unknown => event[inputField(event)]
