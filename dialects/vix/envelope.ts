import { isObject, type JsonObject, parseJson } from "../../effects/json.ts"
import { isText } from "../../effects/plain.ts"
import { nearest } from "../../policy/nearest.ts"
import type { Phase } from "../../policy/phases.ts"
import { isVixEvent, VIX_EVENT_NAMES, type VixEvent, type VixEventName, vixEvent } from "./events.ts"

/** What vix tells a hook of one event. */
export type Envelope = JsonObject & { readonly hook_event_name: VixEventName }

/** An event of vix as one of ours. */
export interface Translated {
  readonly on: VixEvent["on"]
  readonly phase: Exclude<Phase, "observe" | "prefix">
  readonly event: JsonObject
}

/** What is said of an envelope that is none. */
export class EnvelopeError extends Error {
  override readonly name = "EnvelopeError"
}

/** The fields that each event needs. */
const NEEDS: Readonly<Partial<Record<VixEventName, readonly string[]>>> = Object.freeze({
  PreToolUse: ["tool_name"],
  PostToolUse: ["tool_name"],
  PermissionRequest: ["tool_name"],
  UserPromptSubmit: ["prompt"],
})

/** @throws EnvelopeError with one sentence, where a text is no envelope. */
export function readEnvelope(text: string): Envelope {
  const value = objectIn(text)
  const { hook_event_name: name, tool_input: input } = value
  if (!isVixEvent(name)) {
    const near = nearest(String(name), VIX_EVENT_NAMES)
    const known = near === undefined ? `known are ${VIX_EVENT_NAMES.join(", ")}` : `did you mean \`${near}\`?`
    const what = name === undefined ? "the envelope has no `hook_event_name`" : `unknown event \`${String(name)}\``
    throw new EnvelopeError(`${what}; ${known}`)
  }
  for (const field of NEEDS[name] ?? []) {
    if (!isText(value[field])) throw new EnvelopeError(`the envelope of \`${name}\` needs \`${field}\`, a text`)
  }
  if (input !== undefined && input !== null && !isObject(input)) {
    throw new EnvelopeError("`tool_input` in the envelope must be an object")
  }
  return { ...value, hook_event_name: name }
}

function objectIn(text: string): JsonObject {
  if (text.trim() === "") throw new EnvelopeError("the envelope is empty; one JSON object is expected on stdin")
  let value: unknown
  try {
    value = parseJson(text)
  } catch {
    throw new EnvelopeError("the envelope is no JSON")
  }
  if (!isObject(value)) throw new EnvelopeError("the envelope is no JSON object")
  return value
}

/** Whether vix itself has started the thread: hooks of a folder do not fire in threads that hooks may have started. */
export const startedByVix = ({ origin }: JsonObject): boolean => origin === "vix"

/** Fields that stand elsewhere in our event, and are put back from there. */
const MOVED = ["tool_input", "tool_response", "prompt"]

/** An event of vix as an event of ours. What ours has no field for stands under `host`, by vix's own names. */
export function eventOf(envelope: Envelope): Translated {
  const row = vixEvent(envelope.hook_event_name)
  const failed = row.failed !== undefined && envelope.is_error === true
  const host = Object.fromEntries(Object.entries(envelope).filter(([key]) => !MOVED.includes(key)))
  const event: JsonObject = {
    ...texts(envelope, { session: "thread_id", cwd: "cwd", agent: "agent" }),
    ...FIELDS[row.on]?.(envelope, failed),
    host,
  }
  return { on: row.on, phase: failed ? row.failed : row.phase, event }
}

function texts(envelope: JsonObject, names: Readonly<Record<string, string>>): JsonObject {
  const found: JsonObject = {}
  for (const [ours, theirs] of Object.entries(names)) if (isText(envelope[theirs])) found[ours] = envelope[theirs]
  return found
}

const FIELDS: Readonly<Partial<Record<VixEvent["on"], (envelope: JsonObject, failed: boolean) => JsonObject>>> =
  Object.freeze({
    call: (envelope, failed) => ({ ...toolIn(envelope), ...outcomeOf(envelope, failed) }),
    permission: (envelope) => toolIn(envelope),
    prompt: ({ prompt }) => ({ prompt }),
    thread: (envelope) => texts(envelope, { source: "source" }),
    compact: (envelope) => texts(envelope, { source: "trigger" }),
    subagent: (envelope) => ({
      ...texts(envelope, { agent: "agent_type" }),
      ...(envelope.hook_event_name === "SubagentStart" ? texts(envelope, { task: "prompt" }) : {}),
      ...(envelope.hook_event_name === "SubagentStop" && "result" in envelope ? { result: envelope.result } : {}),
    }),
  })

/** The server of the tools that vix brings itself. */
export const OWN_SERVER = "vix"

/** `mcp__server__tool` is cut at the first `__`: what vix sends is joined already. */
function toolIn({ tool_name, tool_input }: JsonObject): JsonObject {
  const name = String(tool_name)
  const [, server = OWN_SERVER, tool = name] = /^mcp__(.+?)__(.+)$/s.exec(name) ?? []
  return { server, tool, args: tool_input ?? {} }
}

function outcomeOf(envelope: JsonObject, failed: boolean): JsonObject {
  if (envelope.hook_event_name !== "PostToolUse") return {}
  const { tool_response: response = null } = envelope
  if (!failed) return { result: response }
  return { error: { code: "error", message: isText(response) ? response : "the tool failed", response } }
}

/**
 * The envelope that a hook of the folder gets for an event of ours: the host's own, with what other hooks have replaced in
 * its place, or one that is made of the event, where the event came from another host.
 *
 * @param given what vix's envelope says of itself, such as `vix_bin`, where the host does not say it
 */
export function envelopeOf(name: VixEventName, event: JsonObject, given: JsonObject = {}): Envelope {
  const host = isObject(event.host) ? event.host : {}
  return {
    ...made(event),
    ...given,
    ...host,
    hook_event_name: name,
    ...current(name, event),
  }
}

/** What an event that came from elsewhere says in vix's own names. */
function made({ session, cwd, agent, server, tool }: JsonObject): JsonObject {
  const joined = server === OWN_SERVER || server === undefined ? tool : `mcp__${String(server)}__${String(tool)}`
  return Object.fromEntries(
    Object.entries({ thread_id: session, cwd, agent, tool_name: joined, origin: "user" }).filter(
      ([, value]) => value !== undefined,
    ),
  )
}

/** What may have changed on the way, and what is left out of `host`. */
function current(name: VixEventName, event: JsonObject): JsonObject {
  const { args, result, error, prompt, source, agent, task } = event
  switch (name) {
    case "PreToolUse":
    case "PermissionRequest":
      return { tool_input: args ?? {} }
    case "PostToolUse": {
      const response = isObject(error) ? (error.response ?? error.message) : result
      return { tool_input: args ?? {}, tool_response: response ?? null, is_error: error !== undefined }
    }
    case "UserPromptSubmit":
      return { prompt }
    case "ThreadStart":
      return { ...(source === undefined ? {} : { source }) }
    case "PreCompact":
    case "PostCompact":
      return { ...(source === undefined ? {} : { trigger: source }) }
    case "SubagentStart":
      return { ...(agent === undefined ? {} : { agent_type: agent }), ...(task === undefined ? {} : { prompt: task }) }
    case "SubagentStop":
      return { ...(agent === undefined ? {} : { agent_type: agent }), ...(result === undefined ? {} : { result }) }
    case "Stop":
      return {}
  }
}

/** Which event of vix a moment of ours is; undefined: none, so that no hook of a folder is about it. */
export const vixEventAt = (on: string, phase: string): VixEventName | undefined =>
  VIX_EVENT_NAMES.find((name) => {
    const row = vixEvent(name)
    return row.on === on && (row.phase === phase || row.failed === phase)
  })
