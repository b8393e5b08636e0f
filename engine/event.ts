import type { JsonObject } from "../effects/json.ts"
import { isObject } from "../effects/json.ts"
import type { Phase } from "../policy/phases.ts"
import { describeTool } from "../policy/tools.ts"

/**
 * The event as hooks see it: `on`, `phase` and `caller` are ours to say, and a call carries what its tool does (`kind`)
 * and is about (`target`), from the table of known tools unless the event says it.
 */
export function eventOf(on: string, phase: Phase, given: JsonObject, caller: JsonObject): JsonObject {
  const event: JsonObject = { ...given, on, phase, caller }
  return on === "call" ? described(event) : event
}

function described(event: JsonObject): JsonObject {
  event.args ??= {}
  if (event.kind !== undefined && event.target !== undefined) return event
  const known = describe(event)
  event.kind ??= known.kind
  event.target ??= known.target
  return event
}

/** The next version of an event with other arguments: what it is about is read anew, since the old target is stale. */
export function withArgs(event: JsonObject, args: unknown, meta: JsonObject | undefined): JsonObject {
  const next: JsonObject = { ...event, args }
  if (meta !== undefined) next.meta = meta
  if (event.on === "call") next.target = describe(next).target
  return next
}

const describe = (event: JsonObject) =>
  describeTool(String(event.server), String(event.tool), isObject(event.args) ? event.args : {})
