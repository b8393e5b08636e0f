/** The kinds of happening that are published: what `on` of an observe hook is a prefix of. */
export const HAPPENINGS = Object.freeze({
  "script.started": "a script run begins",
  "script.finished": "a script ended without an error",
  "script.failed": "a script ended with an error",
  "script.refused": "a script was refused and did not run",
  "script.decided": "one moment of a script run came to its verdict",
  "call.started": "a tool call begins",
  "call.finished": "a tool call succeeded",
  "call.failed": "a tool call failed",
  "call.refused": "a tool call was refused and not sent",
  "call.decided": "one moment of a tool call came to its verdict",
  "prompt.decided": "a prompt's moment came to its verdict",
  "permission.decided": "a question about a tool came to its verdict",
  "thread.decided": "one moment of a conversation came to its verdict",
  "turn.decided": "one moment of a turn's end came to its verdict",
  "compact.decided": "one moment of a compaction came to its verdict",
  "subagent.decided": "one moment of a subagent came to its verdict",
  "agent.event": "an agent's event that no point is about; what the agent sent stands in `host`",
  "hook.started": "a hook begins to run",
  "hook.finished": "a hook ran",
  "hook.failed": "a hook failed",
} as const)

export type HappeningType = keyof typeof HAPPENINGS

export const HAPPENING_TYPES = Object.freeze(Object.keys(HAPPENINGS)) as readonly HappeningType[]

/** Whether an observe hook's `on` (a plain prefix, or `*`) takes a kind. */
export const takesKind = (on: string, type: string): boolean => on === "*" || type.startsWith(on)
