import type { Ceiling, Dropped } from "../clamp/clamp.ts"
import type { Level } from "../effects/levels.ts"
import type { Advice, Proposal, Question, Refusal } from "../effects/outputs.ts"
import type { ActionKind } from "../policy/actions.ts"
import type { Phase } from "../policy/phases.ts"
import type { Failed } from "./failures.ts"

/** Why a hook that matched did not run. */
export const SKIPS = Object.freeze({
  off: "its effective level is off",
  refused: "the moment had been refused already",
  "no-model": "no model is configured, or its key is not set",
  disabled: "it is switched off in the policy",
  recursion: "it is on the stack of hooks that caused this operation",
} as const)
export type Skip = keyof typeof SKIPS

/** Which setting or entry a ceiling came from. */
export interface CeilingSource {
  readonly by: Ceiling
  readonly id?: string
  readonly reason?: string
  readonly origin: string
}

/** The answer to a question: one of its choices, or yes or no. */
export type Answer = string

/** Stands for a value that may not be shown. */
export interface Redacted {
  readonly sha256: string
  readonly bytes: number
}

/** What a `run` output did. */
export interface Ran {
  readonly what: "retry" | "call" | "argv" | "module"
  readonly name?: string
  readonly ok: boolean
  readonly error?: { readonly code: string; readonly message: string }
}

export interface Usage {
  readonly provider: string
  readonly model: string
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cost?: number
  readonly cached?: boolean
}

export interface HookFrame {
  readonly type: "hook"
  /** the point; in `observe`, the kind of the event */
  readonly on: string
  readonly phase: Phase
  /** the hook's id */
  readonly hook: string
  readonly action: ActionKind
  /** the level in force */
  readonly effect: Level
  readonly durationMs: number
  /** whether its `apply` replaced something */
  readonly changed: boolean
  /** the hook's own level, where something lowered it */
  readonly requested?: Level
  /** every ceiling below the hook's own level */
  readonly clampedBy?: readonly Ceiling[]
  /** which setting or entry each of these came from */
  readonly ceilings?: readonly CeilingSource[]
  /** the keys of its output that were not honoured */
  readonly dropped?: readonly Dropped[]
  /** the value that this hook received, when its `apply` replaced it */
  readonly original?: unknown
  /** the `meta` that this hook received, when its `apply` replaced that too */
  readonly originalMeta?: unknown
  readonly advise?: readonly Advice[]
  /** its question, and what was answered */
  readonly ask?: Question & { readonly answer?: Answer }
  readonly refuse?: Refusal
  readonly propose?: Proposal
  /** what its `run` did */
  readonly ran?: readonly Ran[]
  readonly failed?: Failed
  /** it did not run, and why */
  readonly skipped?: Skip
  /** a second look, after a rewrite or an answer */
  readonly recheck?: true
  /** what a model used */
  readonly usage?: Usage
  /** what the runner had to say: a missing folder, a variable that did not fit */
  readonly notes?: readonly string[]
}

/** An error as frames and verdicts show it. */
export interface ErrorValue {
  readonly code: string
  readonly message: string
  readonly [key: string]: unknown
}

export interface AskedQuestion extends Question {
  readonly hook: string
}

export type Frame =
  | { readonly type: "start"; readonly runId: string }
  | HookFrame
  | { readonly type: "ask"; readonly approval: string; readonly questions: readonly AskedQuestion[] }
  | { readonly type: "log"; readonly level: "debug" | "info" | "warn" | "error"; readonly args: readonly unknown[] }
  | { readonly type: "emit"; readonly value: unknown }
  | { readonly type: "stdout"; readonly text: string }
  | { readonly type: "stderr"; readonly text: string }
  | CallFrame
  | ArtifactFrame
  | { readonly type: "result"; readonly value: unknown }
  | { readonly type: "error"; readonly error: ErrorValue }
  | { readonly type: "end"; readonly exitCode: number; readonly durationMs: number }
  | { readonly type: "artifact.chunk"; readonly id: string; readonly seq: number; readonly data: string }
  | { readonly type: "artifact.end"; readonly id: string }

export interface CallFrame {
  readonly type: "call"
  readonly server: string
  readonly tool: string
  readonly argsHash: string
  readonly durationMs: number
  readonly ok: boolean
  readonly error?: { readonly code: string; readonly message: string }
  readonly destructiveHint?: boolean
}

export interface ArtifactFrame {
  readonly type: "artifact"
  readonly id: string
  readonly name: string
  readonly mime: string
  /** bytes */
  readonly size: number
  readonly sha256: string
  readonly uri: string
}

export type FrameType = Frame["type"]

export type Outcome = "continue" | "answer" | "ask" | "refuse" | "retry"

/** What one moment, or one operation, came to. */
export interface Verdict {
  readonly outcome: Outcome
  /** the subject of `before` after all hooks */
  readonly input: unknown
  readonly result?: unknown
  readonly error?: ErrorValue
  readonly advice: readonly (Advice & { readonly hook: string })[]
  readonly proposals: readonly (Proposal & { readonly hook: string })[]
  readonly questions: readonly AskedQuestion[]
  /** `hook` is absent where no hook refused: the operation was cancelled */
  readonly refusal?: Refusal & { readonly hook?: string }
  /** the ceilings that lowered something in this moment */
  readonly ceilings?: readonly CeilingSource[]
  readonly frames: readonly Frame[]
}
