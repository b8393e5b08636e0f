import type { Level } from "../../effects/levels.ts"
import type { Phase } from "../../policy/phases.ts"
import type { Point } from "../../policy/points.ts"

/** One event of vix: the moment of ours that it is, and what its host can carry there. */
export interface VixEvent {
  readonly doc: string
  readonly on: Point
  readonly phase: Exclude<Phase, "observe" | "prefix">
  /** the phase where the envelope says `is_error` */
  readonly failed?: Exclude<Phase, "observe" | "prefix">
  /** the field of the envelope that a matcher is held against; absent: a matcher has nothing to be held against */
  readonly matches?: string
  /** whether a hook may be `blocking` here */
  readonly blocks: boolean
  /** what the host can carry out at this event: one more ceiling of the clamp */
  readonly carries: Level
}

/** The ten events of vix. */
export const VIX_EVENTS = Object.freeze({
  PreToolUse: {
    doc: "before a tool runs",
    on: "call",
    phase: "before",
    matches: "tool_name",
    blocks: true,
    carries: "apply",
  },
  PostToolUse: {
    doc: "after a tool completes",
    on: "call",
    phase: "onSuccess",
    failed: "onError",
    matches: "tool_name",
    blocks: false,
    carries: "advise",
  },
  UserPromptSubmit: {
    doc: "before a prompt enters the turn",
    on: "prompt",
    phase: "before",
    blocks: true,
    carries: "apply",
  },
  PermissionRequest: {
    doc: "before the user is asked to confirm a tool",
    on: "permission",
    phase: "before",
    matches: "tool_name",
    blocks: true,
    carries: "ask",
  },
  ThreadStart: {
    doc: "when a thread begins",
    on: "thread",
    phase: "before",
    matches: "source",
    blocks: false,
    carries: "advise",
  },
  Stop: { doc: "when a turn finishes", on: "turn", phase: "onSuccess", blocks: false, carries: "advise" },
  PreCompact: {
    doc: "before the conversation is compacted",
    on: "compact",
    phase: "before",
    matches: "trigger",
    blocks: false,
    carries: "advise",
  },
  PostCompact: {
    doc: "after a successful compaction",
    on: "compact",
    phase: "onSuccess",
    matches: "trigger",
    blocks: false,
    carries: "advise",
  },
  SubagentStart: {
    doc: "when a subagent is spawned",
    on: "subagent",
    phase: "before",
    matches: "agent_type",
    blocks: false,
    carries: "advise",
  },
  SubagentStop: {
    doc: "when a subagent finishes",
    on: "subagent",
    phase: "onSuccess",
    matches: "agent_type",
    blocks: false,
    carries: "advise",
  },
} as const satisfies Record<string, VixEvent>)

export type VixEventName = keyof typeof VIX_EVENTS

export const VIX_EVENT_NAMES = Object.freeze(Object.keys(VIX_EVENTS)) as readonly VixEventName[]

export const isVixEvent = (name: unknown): name is VixEventName =>
  typeof name === "string" && Object.hasOwn(VIX_EVENTS, name)

/** An event's row with the wide type that loops want. */
export const vixEvent = (name: VixEventName): VixEvent => VIX_EVENTS[name]
