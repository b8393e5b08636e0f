import { isObject, type JsonObject, parseJson } from "../effects/json.ts"
import { CommandError } from "./errors.ts"

/**
 * Who asks, as `--caller` says it: an id, or a JSON object with one. The person at the keyboard is the operator, so it
 * is taken as given.
 *
 * @throws CommandError on an object without an id, or on broken JSON.
 */
export function readCaller(text: string | undefined): JsonObject | undefined {
  if (text === undefined) return undefined
  if (!text.trimStart().startsWith("{")) {
    if (text.trim() === "") throw new CommandError("the caller's id is empty", "--caller ID")
    return { id: text }
  }
  return checked(parsed(text))
}

/**
 * The caller of an event: the one of `--caller`, else the event's own. Whoever writes the event on this command line
 * could as well have written the flag.
 */
export const callerOf = (flag: string | undefined, event: JsonObject): JsonObject | undefined =>
  readCaller(flag) ?? (event.caller === undefined ? undefined : checked(event.caller))

function parsed(text: string): unknown {
  try {
    return parseJson(text)
  } catch (cause) {
    throw new CommandError(`the caller is no JSON object: ${(cause as Error).message}`, '--caller \'{"id": "ci"}\'')
  }
}

function checked(caller: unknown): JsonObject {
  if (!isObject(caller) || typeof caller.id !== "string" || caller.id === "") {
    throw new CommandError("the caller has no `id`", '--caller \'{"id": "ci"}\'')
  }
  if (caller.scopes !== undefined && !isTexts(caller.scopes)) {
    throw new CommandError("the caller's `scopes` must be a list of texts")
  }
  if (caller.claims !== undefined && !isObject(caller.claims)) {
    throw new CommandError("the caller's `claims` must be an object")
  }
  return caller
}

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((item) => typeof item === "string")
