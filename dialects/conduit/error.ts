import { isObject, type JsonObject } from "../../effects/json.ts"
import type { CallError, HookFailure } from "./types.ts"

/** The codes of errors whose kind has a name of its own. */
const KINDS: Readonly<Record<string, string>> = Object.freeze({ unavailable: "transport" })

/** What a call failed with, as failure hooks and callers are told: who refused it, or what became of it. */
export function callErrorOf({ code, message, cause, hook, data }: JsonObject): CallError {
  const own = isObject(data) ? data : {}
  const text = String(message)
  if (code !== "refused") {
    const kind = KINDS[String(code)] ?? String(code)
    return { kind, message: text, ...(data === undefined ? {} : { data }) }
  }
  if (cause === "cancelled") return { kind: "cancelled", message: text }
  const by = String(own.hook ?? hook)
  if (cause === "hook_failed") {
    const failure = own.failure as HookFailure | undefined
    return { kind: "hook", message: text, reason: "hook_failed", hook: by, ...(failure && { failure }) }
  }
  if (cause === "hook_denied") {
    return { kind: "denied", message: text, reason: "hook_denied", hook: by, data: own.reason }
  }
  const rest = data === undefined ? {} : { data }
  return {
    kind: "denied",
    message: text,
    reason: "policy_denied",
    ...(hook === undefined ? {} : { hook: String(hook) }),
    ...rest,
  }
}
