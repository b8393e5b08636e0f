import type { Level } from "../../effects/levels.ts"
import type { Phase } from "../../policy/phases.ts"
import type { Point } from "../../policy/points.ts"

/** One event of client hooks: the moment at which its chain stands, and what its functions may do. */
export interface EventRow {
  readonly doc: string
  readonly on: Point
  readonly phase: Phase
  /** the level that its strongest answer needs */
  readonly effect: Level
  /** how many arguments a function gets */
  readonly arity: 2 | 3
  /** what a matcher's name is held against */
  readonly names: "tool" | "uri" | "prompt"
  /** `inward`: global hooks first, hooks of one tool last; `outward` is the reverse */
  readonly order: "inward" | "outward"
  /** what stops when a hook fails; `nothing`: the call has failed already */
  readonly failing: "call" | "result" | "nothing"
  /** whether a hook may say `on_error: "ignore"` */
  readonly ignorable: boolean
}

/** The six events. */
export const EVENTS = Object.freeze({
  pre_tool_call: {
    doc: "before a call is sent: may rewrite its arguments and `_meta`, deny it or answer it",
    on: "call",
    phase: "before",
    effect: "apply",
    arity: 2,
    names: "tool",
    order: "inward",
    failing: "call",
    ignorable: false,
  },
  post_tool_call: {
    doc: "after a tool has answered, `isError` included: may rewrite the result",
    on: "call",
    phase: "onSuccess",
    effect: "apply",
    arity: 3,
    names: "tool",
    order: "outward",
    failing: "result",
    ignorable: true,
  },
  tool_call_failed: {
    doc: "in place of the former where the call ends in an error: may recover it",
    on: "call",
    phase: "onError",
    effect: "apply",
    arity: 3,
    names: "tool",
    order: "outward",
    failing: "nothing",
    ignorable: true,
  },
  on_tools_listed: {
    doc: "after a listing: may drop or annotate tools",
    on: "tools.list",
    phase: "onSuccess",
    effect: "apply",
    arity: 2,
    names: "tool",
    order: "inward",
    failing: "call",
    ignorable: false,
  },
  on_resource_read: {
    doc: "before a resource is read: may deny it",
    on: "resource.read",
    phase: "before",
    effect: "ask",
    arity: 2,
    names: "uri",
    order: "inward",
    failing: "call",
    ignorable: false,
  },
  on_prompt_get: {
    doc: "before a prompt is fetched: may rewrite its arguments or deny it",
    on: "prompt.get",
    phase: "before",
    effect: "apply",
    arity: 3,
    names: "prompt",
    order: "inward",
    failing: "call",
    ignorable: false,
  },
} as const satisfies Record<string, EventRow>)

export type EventName = keyof typeof EVENTS

export const EVENT_NAMES = Object.freeze(Object.keys(EVENTS)) as readonly EventName[]

export const isEventName = (name: string): name is EventName => Object.hasOwn(EVENTS, name)

/** Milliseconds that a hook gets where it names none. */
export const HOOK_TIMEOUT_MS = 5_000
