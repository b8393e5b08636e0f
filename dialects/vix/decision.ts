import { isObject, type JsonObject, parseJson, withoutMark } from "../../effects/json.ts"
import { isText } from "../../effects/plain.ts"
import { nearest } from "../../policy/nearest.ts"
import type { VixEventName } from "./events.ts"

/** What a hook may say, the least restrictive first. */
export const BEHAVIORS = Object.freeze(["allow", "context", "modify", "deny"] as const)
export type Behavior = (typeof BEHAVIORS)[number]

const isBehavior = (value: unknown): value is Behavior => (BEHAVIORS as readonly unknown[]).includes(value)

/** One hook's decision, or all of them put together. */
export interface Decision {
  readonly behavior: Behavior
  /** why it denies */
  readonly reason?: string
  /** what takes the input's place */
  readonly input?: JsonObject
  /** told to the model */
  readonly context?: string
}

/** A decision as it was read, or what keeps it from being one; `warnings` say what may have been meant otherwise. */
export type Reading = { readonly warnings: readonly string[] } & (
  | { readonly decision: Decision }
  | { readonly problem: string }
)

export const ALLOW: Decision = Object.freeze({ behavior: "allow" })

const decided = (decision: Decision, ...warnings: string[]): Reading => ({ decision, warnings })

/** How a command hook ended, as far as that is a decision. */
export interface CommandEnd {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** What a command decides by its exit code and what it printed; undefined: it has failed, and the action goes on. */
export function readCommand({ code, stdout, stderr }: CommandEnd, event: VixEventName): Reading | undefined {
  if (code === 0) return readOutput(stdout, event)
  if (code !== 2) return undefined
  const reason = clean(stderr) || clean(stdout)
  return decided({ behavior: "deny", ...(reason === "" ? {} : { reason }) })
}

/** What the last text of a workflow or a prompt decides: a JSON decision, else a line that starts with `BLOCK:`, else context. */
export function readFinalText(text: string, event: VixEventName): Reading {
  const whole = withoutFence(clean(text))
  const said = decisionIn(whole, event)
  if (said) return said
  const line = /^BLOCK:(.*)$/m.exec(whole)
  if (!line) return readOutput(whole, event)
  const reason = line[1]!.trim()
  return decided({ behavior: "deny", ...(reason === "" ? {} : { reason }) })
}

/** What a text on stdout means where the program ended well. */
function readOutput(stdout: string, event: VixEventName): Reading {
  const text = clean(stdout)
  if (text === "") return decided(ALLOW)
  return decisionIn(text, event) ?? decided({ behavior: "context", context: text }, ...doubts(text))
}

const clean = (text: string): string => withoutMark(text).trim()

/** Models put a fence around what they were asked to write bare. */
const withoutFence = (text: string): string => /^```[\w-]*\s*\n([\s\S]*?)\n\s*```$/.exec(text)?.[1]?.trim() ?? text

/** A decision in JSON; undefined for any other text. */
function decisionIn(text: string, event: VixEventName): Reading | undefined {
  const value = parsed(text)
  if (value === undefined) return undefined
  if (Object.keys(value).length === 0) return decided(ALLOW)
  if (!isBehavior(value.behavior)) return undefined
  return checked(value.behavior, value, event)
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value = parseJson(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

const KEYS = ["behavior", "reason", "input", "context"]

function checked(behavior: Behavior, value: JsonObject, event: VixEventName): Reading {
  const { reason, input, context } = value
  const strange = Object.keys(value).filter((key) => !KEYS.includes(key))
  const warnings = strange.map((key) => `the key \`${shorten(key)}\` of its decision is none that vix knows`)
  const problem = problemOf(behavior, value, event)
  if (problem !== undefined) return { problem, warnings }
  const decision: Decision = {
    behavior,
    ...(behavior === "deny" && isText(reason) ? { reason } : {}),
    ...(behavior === "modify" ? { input: input as JsonObject } : {}),
    ...(isText(context) ? { context } : {}),
  }
  return { decision, warnings }
}

function problemOf(
  behavior: Behavior,
  { reason, input, context }: JsonObject,
  event: VixEventName,
): string | undefined {
  if (reason !== undefined && typeof reason !== "string") return "`reason` must be a text"
  if (context !== undefined && typeof context !== "string") return "`context` must be a text"
  if (behavior === "context" && !isText(context)) return "a `context` decision needs `context`, a text"
  if (behavior !== "modify") return undefined
  if (!isObject(input)) return "a `modify` decision needs `input`, an object"
  if (event === "UserPromptSubmit" && !isText(input.prompt)) return "`input.prompt` must be a text"
  return undefined
}

/** Whether a text that counts as context may have been meant for a decision. */
function doubts(text: string): string[] {
  const value = parsed(text)
  if (value && Object.hasOwn(value, "behavior")) {
    const near = nearest(String(value.behavior), BEHAVIORS)
    const meant = near === undefined ? `known are ${BEHAVIORS.join(", ")}` : `did you mean \`${near}\`?`
    return [`it counts as context: \`behavior\` is none that vix knows; ${meant}`]
  }
  return /\{[^{}]*"behavior"\s*:/.test(text)
    ? ["it counts as context: an object with `behavior` was seen and not used, since it does not stand alone"]
    : []
}

const shorten = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text)
