import type { Json, JsonObject } from "./json.ts"

/** The values of a hook's output, as they stand in frames and verdicts: always objects. */
export interface Advice {
  readonly text: string
  readonly severity?: "info" | "warning" | "error"
  readonly data?: Json
}

export interface Question {
  readonly question: string
  readonly choices?: readonly string[]
  readonly timeoutMs?: number
}

export interface Refusal {
  readonly reason: string
  readonly code?: string
  readonly data?: Json
}

export interface Proposal {
  readonly input?: unknown
  readonly result?: unknown
  readonly error?: unknown
  readonly script?: unknown
  readonly note?: string
}

/** What `apply` replaces: which members may stand in it depends on the phase. */
export interface Apply {
  /** an object; a list where the script's arguments are one */
  readonly input?: JsonObject | readonly unknown[]
  readonly meta?: JsonObject
  /** before: the normalised `{command?, path?, url?}` of an agent's tool, mapped back onto its arguments */
  readonly target?: JsonObject
  readonly result?: unknown
  readonly error?: JsonObject
  readonly merge?: JsonObject
}

export interface Run {
  readonly retry?: true | { readonly input: JsonObject | readonly unknown[] }
  readonly call?: { readonly tool: string; readonly args?: JsonObject }
  readonly argv?: readonly string[]
  readonly module?: string
}

export interface Output {
  readonly advise?: readonly Advice[]
  readonly ask?: Question
  readonly refuse?: Refusal
  readonly propose?: Proposal
  readonly apply?: Apply
  readonly run?: Run
}
