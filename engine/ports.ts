import type { JsonObject } from "../effects/json.ts"
import type { Level } from "../effects/levels.ts"
import type { Failed } from "../frames/failures.ts"
import type { Answer, AskedQuestion, Usage } from "../frames/frames.ts"
import type { ActionKind } from "../policy/actions.ts"
import type { AbortSignalLike, Action, Hook } from "../policy/policy.ts"

/**
 * What an action came to. A non-zero exit, a timeout and garbage are results; only a bug throws.
 *
 * `output` is the raw JSON value that the hook answered, unchecked; `undefined` is no opinion.
 */
export type ActionResult =
  | { readonly output: unknown; readonly usage?: Usage; readonly notes?: readonly string[] }
  | { readonly failed: Failed; readonly usage?: Usage; readonly notes?: readonly string[] }
  | { readonly skipped: "no-model"; readonly warning: string }

/** What an action is told besides the event. */
export interface ActionContext {
  readonly hook: Hook
  /** the level in force */
  readonly effective: Level
  /** milliseconds; at this moment the engine aborts the signal, and after a second more it no longer waits for the action */
  readonly timeoutMs: number
  /** aborted at the deadline and when the operation is cancelled; made only when it is read */
  readonly signal: AbortSignalLike
  /** the operation that this is part of, with all that it causes: the same object for all of it */
  readonly operation: object
  /** a tool call made by this hook: it passes the gate itself */
  call(server: string, tool: string, args: JsonObject): Promise<unknown>
}

/** Runs one kind of action. */
export interface ActionRunner<K extends ActionKind = ActionKind> {
  run(action: Extract<Action, { kind: K }>, event: JsonObject, context: ActionContext): Promise<ActionResult>
  close?(): Promise<void>
}

export type ActionRunners = { readonly [K in ActionKind]?: ActionRunner<K> }

/** What an open question is about; its answer is `yes`, `no`, or one of the choices. */
export interface OpenQuestion {
  readonly approval: string
  readonly questions: readonly AskedQuestion[]
  /** the final event that the answer is bound to */
  readonly event: JsonObject
  readonly signal?: AbortSignalLike
}

/** Something that happened, for the bus and for `observe` hooks: its kind stands in `type`. */
export interface Happening {
  readonly type: string
  readonly [key: string]: unknown
}

/** Everything outside the engine. */
export interface Ports {
  /** milliseconds on a clock that never goes back */
  now(): number
  /** calls `fn` once after `ms` milliseconds; the answer cancels it */
  after(ms: number, fn: () => void): () => void
  /** a fresh id for a run or an approval */
  id(): string
  /** lower-case hex */
  sha256(text: string): string
  /** an AbortController, made only when an action reads its signal */
  abort(): { readonly signal: AbortSignalLike; abort(reason?: unknown): void }
  readonly actions: ActionRunners
  /**
   * Puts questions to a person, one answer for each; absent: nobody can be asked here. `open`: they are answered another
   * time, and the moment ends with them open.
   */
  ask?(open: OpenQuestion): Promise<readonly Answer[] | "open">
  /** sends one tool call upstream; absent: no server can be reached from here */
  call?(
    server: string,
    tool: string,
    args: JsonObject,
    meta: JsonObject | undefined,
    signal: AbortSignalLike | undefined,
  ): Promise<unknown>
  /**
   * Starts a server whose session does not live, and answers why it does not live now, in words of ours; undefined: it does.
   * Absent: no server can be reached from here.
   */
  down?(server: string): Promise<string | undefined>
  /** whether `input` fits what the tool is known to take; absent, or undefined: not known */
  fits?(server: string, tool: string, input: JsonObject): boolean | undefined
  /** whether a result's structured part fits what the tool promises; absent, or undefined: it promises nothing */
  fitsResult?(server: string, tool: string, structured: unknown): boolean | undefined
  /** a tool's annotations as its server gives them, for calls whose event does not say them */
  annotations?(server: string, tool: string): Promise<JsonObject | undefined>
  publish?(happening: Happening): void
  /** the number of the next happening; absent: the engine counts its own */
  seq?(): number
}
