import type { JsonObject } from "../effects/json.ts"
import type { Phase } from "../policy/phases.ts"
import type { Point } from "../policy/points.ts"
import type { Agent } from "../policy/tools.ts"

/** What a host makes of each thing that a verdict may hold, with the word that the reference shows. */
export interface Carries {
  /** who reads advice */
  readonly advise: "model" | "user" | "stderr"
  /**
   * What a refusal does; `tells`: the model reads the reason, and the result too; `none`: nothing can be stopped here.
   */
  readonly refuse: "stops" | "withholds" | "tells" | "goes on" | "none"
  /** what becomes of a question; `refuses`: it cannot be put, and counts as a refusal */
  readonly ask: "asks" | "refuses"
  /**
   * What becomes of a replacement: `grants`, the host takes it for a grant; `unsure`, the host may discard it; `none`, it
   * knows none. All but `replaces` make a proposal of it where something can be refused.
   */
  readonly apply: "replaces" | "grants" | "unsure" | "none"
}

/** One event of a host: which moments of ours it is, and what the host can do with our verdict. */
export interface MomentRow extends Carries {
  readonly on: Point
  /** fired one after another, with one answer to the host */
  readonly phases: readonly Exclude<Phase, "prefix" | "observe">[]
  /** fields of our event → where the payload has them, the first that is there */
  readonly fields: Readonly<Record<string, readonly string[]>>
  /** how long the host waits by default (ms): we answer before */
  readonly timeoutMs: number
}

/** What a host sent, as an event of ours. */
export interface Reading {
  readonly dialect: Dialect
  /** the host's own name of the event */
  readonly name: string
  /** absent: no point is about it */
  readonly row?: MomentRow
  /** what our event carries, without `on` and `phase` */
  readonly event: JsonObject
  /** what was not clear */
  readonly notes: readonly string[]
}

/** A verdict in the few words that a host may understand. */
export interface Ruling {
  readonly go: "on" | "ask" | "refuse"
  /** why it is refused, or what is asked */
  readonly reason: string
  /** what stands in the place of the input, where a hook replaced it */
  readonly input?: JsonObject
  readonly result?: { readonly value: unknown }
  readonly advice: readonly string[]
  /** what a user should know: what was lost on the way, and why */
  readonly notices: readonly string[]
  /** what whoever looks after the policy should know, on stderr: which hooks were lowered, and by what */
  readonly lowered?: readonly string[]
}

/** What we say to a host: its three channels. */
export interface Answer {
  readonly stdout?: JsonObject
  readonly stderr?: string
  readonly exitCode: 0 | 2
}

/** A tool by its pair, and what was not clear about it. */
export interface NamedTool {
  readonly server: string
  readonly tool: string
  readonly note?: string
}

/** One agent's hooks: what it sends, what it understands. */
export interface Dialect {
  /** also the `server` of its own tools */
  readonly name: Agent
  readonly title: string
  /** the release that the tests with the agent itself have last seen (test/live); absent: written after its documentation alone */
  readonly tried?: string
  readonly moments: Readonly<Record<string, MomentRow>>
  /** the names under which the payload may say which event it is */
  readonly nameIn: readonly string[]
  /** whether a payload is one of this host's */
  fits(payload: JsonObject): boolean
  /** the server and the tool, where the payload says them its own way */
  tool?(payload: JsonObject): NamedTool | undefined
  /** the arguments, where the payload has them in pieces */
  args?(payload: JsonObject): JsonObject | undefined
  answer(reading: Reading & { readonly row: MomentRow }, ruling: Ruling): Answer
}

/** Goes on, and says nothing. */
export const SILENT: Answer = Object.freeze({ exitCode: 0 })

/** The one form of a refusal that every host read here takes, before a tool runs. */
export const denied = (reason: string): Answer => ({ stderr: reason, exitCode: 2 })

/** An object without the members that are undefined; undefined where none is left. */
export function said(members: JsonObject): JsonObject | undefined {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined)
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

/** An answer on stdout, or none where there is nothing to say. */
export function saying(members: JsonObject): Answer {
  const stdout = said(members)
  return stdout ? { stdout, exitCode: 0 } : SILENT
}

/** Whether an event has a name as Claude Code's are, and not one that only Gemini CLI has. */
export const ofClaudesNames = (name: string): boolean =>
  /^[A-Z]/.test(name) && !/^(Before|After)[A-Z]|^PreCompress$/.test(name)
