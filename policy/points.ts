import type { Level } from "../effects/levels.ts"
import { TOOL_KINDS } from "./kinds.ts"
import type { Phase } from "./phases.ts"

/** What a field of an event holds. */
export type FieldType = "text" | "boolean" | "object" | "list" | "any"

/** One field of what a hook receives. */
export interface Field {
  readonly type: FieldType
  readonly doc: string
  /** the event is refused without it */
  readonly required?: true
  /** the phases whose events carry it; absent: all of the point's */
  readonly phases?: readonly Phase[]
  /** the only texts there are; absent: any */
  readonly values?: readonly string[]
  /** an object's own members; absent: any */
  readonly members?: Readonly<Record<string, FieldType>>
  /** whether an object may have members besides these */
  readonly open?: true
}

/** One phase of a point: what `input` replaces and `merge` patches there, and the point's own limit. */
export interface PointPhase {
  readonly subject: "args" | "prompt" | "result" | "error" | "none"
  /** the highest level that the point lets through in this phase; counts as the phase's ceiling */
  readonly limit?: Level
}

export interface PointRow {
  readonly doc: string
  readonly phases: Readonly<Partial<Record<Phase, PointPhase>>>
  readonly fields: Readonly<Record<string, Field>>
}

const AFTER_SUCCESS: readonly Phase[] = ["onSuccess", "suffix"]
const AFTER_ERROR: readonly Phase[] = ["onError", "suffix"]

/** What the events of every point carry. */
const EVERY = {
  on: { type: "text", doc: "the point", required: true },
  phase: { type: "text", doc: "the phase", required: true },
  session: { type: "text", doc: "the session or conversation it belongs to" },
  cwd: { type: "text", doc: "the caller's working folder" },
  caller: {
    type: "object",
    doc: "who asks: `id`, and what its token's record says; what it says of itself stands under `claims`",
    members: { id: "text", scopes: "list", env: "any", claims: "object" },
    open: true,
  },
} as const satisfies Record<string, Field>

/** What came of an operation, for the phases after it. */
const OUTCOME = {
  result: { type: "any", doc: "what the operation returned", phases: AFTER_SUCCESS },
  error: {
    type: "object",
    doc: "what the operation failed with; `code: refused` when it was refused",
    phases: AFTER_ERROR,
    members: { code: "text", message: "text" },
    open: true,
  },
} as const satisfies Record<string, Field>

const AGENT = {
  agent: { type: "text", doc: "the agent or subagent that it happens in" },
  host: { type: "object", doc: "what else the agent's host sent, under its own names" },
} as const satisfies Record<string, Field>

/** A tool in the one vocabulary of all agents. */
const TOOL = {
  server: { type: "text", doc: "the MCP server, or the agent's name for its own tools", required: true },
  tool: { type: "text", doc: "the tool's raw name", required: true },
  args: { type: "object", doc: "the arguments" },
  kind: { type: "text", values: TOOL_KINDS, doc: "what the tool does, whatever its agent calls it" },
  target: {
    type: "object",
    doc: "what the call is about, normalised",
    members: { command: "text", path: "text", url: "text" },
  },
} as const satisfies Record<string, Field>

const GOES_ON = {
  type: "boolean",
  phases: AFTER_SUCCESS,
  doc: "whether it goes on already because a hook refused its end",
} as const satisfies Field

const SERVER = { type: "text", doc: "the MCP server", required: true } as const satisfies Field

/** The moments that the system really passes through, and what a hook receives there. */
export const POINTS = Object.freeze({
  call: {
    doc: "one tool call, from any caller",
    phases: {
      before: { subject: "args" },
      onSuccess: { subject: "result" },
      onError: { subject: "error" },
      suffix: { subject: "none" },
    },
    fields: {
      ...EVERY,
      ...OUTCOME,
      ...TOOL,
      meta: { type: "object", doc: "the call's `_meta`, beside the arguments" },
      ...AGENT,
      annotations: { type: "object", doc: "the tool's annotations, as its server gives them" },
    },
  },
  script: {
    doc: "one script run, from any surface",
    phases: {
      before: { subject: "args" },
      prefix: { subject: "none" },
      onSuccess: { subject: "result" },
      onError: { subject: "error" },
      suffix: { subject: "none" },
    },
    fields: {
      ...EVERY,
      ...OUTCOME,
      file: { type: "text", doc: "the script's file" },
      code: { type: "text", doc: "the script's text, where it is no file" },
      args: { type: "any", doc: "the script's arguments: a list from a command line, or an object" },
    },
  },
  "server.start": {
    doc: "an upstream server starting",
    phases: { before: { subject: "none" }, onSuccess: { subject: "none" }, onError: { subject: "none" } },
    fields: { ...EVERY, ...OUTCOME, server: SERVER },
  },
  "tools.list": {
    doc: "a listing of one server's tools, all pages of it",
    phases: { onSuccess: { subject: "result" } },
    fields: { ...EVERY, ...OUTCOME, server: SERVER },
  },
  "resource.read": {
    doc: "a resource read",
    phases: {
      before: { subject: "none", limit: "ask" },
      onSuccess: { subject: "result" },
      onError: { subject: "error" },
      suffix: { subject: "none" },
    },
    fields: { ...EVERY, ...OUTCOME, server: SERVER, uri: { type: "text", doc: "the resource's URI", required: true } },
  },
  "prompt.get": {
    doc: "a prompt fetched from a server",
    phases: {
      before: { subject: "args" },
      onSuccess: { subject: "result" },
      onError: { subject: "error" },
      suffix: { subject: "none" },
    },
    fields: {
      ...EVERY,
      ...OUTCOME,
      server: SERVER,
      name: { type: "text", doc: "the prompt's name", required: true },
      args: { type: "object", doc: "the prompt's arguments, texts" },
    },
  },
  prompt: {
    doc: "a user's prompt entering an agent's turn",
    phases: { before: { subject: "prompt" } },
    fields: { ...EVERY, ...AGENT, prompt: { type: "text", doc: "the prompt's text", required: true } },
  },
  permission: {
    doc: "an agent about to ask its user to confirm a tool",
    phases: { before: { subject: "none", limit: "ask" } },
    fields: { ...EVERY, ...AGENT, ...TOOL },
  },
  thread: {
    doc: "a conversation starting or ending",
    phases: { before: { subject: "none", limit: "advise" }, suffix: { subject: "none" } },
    fields: {
      ...EVERY,
      ...AGENT,
      source: { type: "text", doc: "how it starts: startup, resume, clear, compact, …", phases: ["before"] },
      reason: { type: "text", doc: "why it ends", phases: ["suffix"] },
    },
  },
  turn: {
    doc: "an agent's turn finishing; a refusal means go on",
    phases: { onSuccess: { subject: "none", limit: "ask" }, suffix: { subject: "none" } },
    fields: { ...EVERY, ...OUTCOME, ...AGENT, goesOn: GOES_ON },
  },
  compact: {
    doc: "a conversation being compacted",
    phases: {
      before: { subject: "none", limit: "ask" },
      onSuccess: { subject: "none", limit: "advise" },
      suffix: { subject: "none" },
    },
    fields: {
      ...EVERY,
      ...OUTCOME,
      ...AGENT,
      source: { type: "text", doc: "who wants it: manual, auto" },
      instructions: { type: "text", doc: "what the user wants kept" },
    },
  },
  subagent: {
    doc: "a subagent starting or finishing; a refusal of its end means go on",
    phases: {
      before: { subject: "none", limit: "advise" },
      onSuccess: { subject: "none", limit: "ask" },
      suffix: { subject: "none" },
    },
    fields: {
      ...EVERY,
      ...OUTCOME,
      ...AGENT,
      task: { type: "text", doc: "what it is to do" },
      goesOn: GOES_ON,
    },
  },
} as const satisfies Record<string, PointRow>)

export type Point = keyof typeof POINTS

export const POINT_NAMES = Object.freeze(Object.keys(POINTS)) as readonly Point[]

export const isPoint = (value: unknown): value is Point => typeof value === "string" && Object.hasOwn(POINTS, value)

/** A point's row with the wide type that loops want. */
export const pointRow = (point: Point): PointRow => POINTS[point]

/** The phases of a point, in the order in which they come. */
export const phasesOf = (point: Point): readonly Phase[] => Object.keys(pointRow(point).phases) as Phase[]

/** Whether the events of a point carry a field in a phase; absent phase: in any. */
export function carries(point: Point, field: string, phase?: Phase): boolean {
  const row = pointRow(point).fields
  if (!Object.hasOwn(row, field)) return false
  const phases = row[field]?.phases
  return phase === undefined || phases === undefined || phases.includes(phase)
}
