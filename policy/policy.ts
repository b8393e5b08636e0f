import type { JsonObject } from "../effects/json.ts"
import type { Level } from "../effects/levels.ts"
import type { Finding } from "./findings.ts"
import type { Phase } from "./phases.ts"
import type { ModelSettings, PromptText } from "./prompt.ts"

/** Where a value was written. Layers from low to high. */
export const LAYERS = Object.freeze([
  "default",
  "system",
  "user",
  "project",
  "environment",
  "flags",
  "put",
  "manifest",
  "call",
  "host",
] as const)
export type Layer = (typeof LAYERS)[number]

export interface Origin {
  readonly layer: Layer
  /** the file, the variable or the flag */
  readonly source?: string
  /** 1-based */
  readonly line?: number
  readonly column?: number
}

/** `detent.yaml:12`, `env:DETENT_AUTONOMY_MAX`, `--autonomy-max`, or the layer's name. */
export const showOrigin = (origin: Origin): string =>
  origin.source === undefined ? origin.layer : origin.line ? `${origin.source}:${origin.line}` : origin.source

/** An exact name, a glob, a `/regex/`, or a list of these. */
export type Matcher = string | readonly string[]

/** A JSON Logic rule, as data. */
export type Logic = unknown

export interface When {
  readonly server?: Matcher
  readonly tool?: Matcher
  readonly kind?: Matcher
  readonly session?: Matcher
  readonly uri?: Matcher
  readonly agent?: Matcher
  readonly source?: Matcher
  /** dotted path into the arguments → matcher on that value */
  readonly args?: Readonly<Record<string, Matcher>>
  readonly if?: Logic
}

export interface WorkflowEdge {
  readonly id: string
  /** JSON Logic over `{event, steps}`; absent means always */
  readonly if?: Logic
}

export interface WorkflowStep {
  readonly action: Action
  readonly next?: readonly WorkflowEdge[]
  readonly timeoutMs?: number
}

export type Action =
  | { readonly kind: "rule"; readonly rule: JsonObject }
  | { readonly kind: "run"; readonly argv: readonly string[] }
  | { readonly kind: "module"; readonly path: string }
  | { readonly kind: "prompt"; readonly prompt: string | PromptText }
  | { readonly kind: "plugin"; readonly target: string }
  | { readonly kind: "workflow"; readonly entry: string; readonly steps: Readonly<Record<string, WorkflowStep>> }
  | { readonly kind: "function"; readonly fn: HostFunction }

/** A host function: it gets its own copy of the event, and answers an output object, or nothing. */
export type HostFunction = (event: JsonObject, context: HostContext) => unknown

export interface HostContext {
  /** the level in force */
  readonly effective: Level
  /** the operation that this is part of, with all that it causes: the same object for all of it */
  readonly operation: object
  /** aborted at the hook's deadline and when the operation is cancelled */
  readonly signal: AbortSignalLike
  /** a tool call of the function's own: it passes the gate itself; @throws OperationError when it fails or is refused */
  call(server: string, tool: string, args: JsonObject): Promise<unknown>
  /** says something in the hook's frame, for a person: a sentence without what the event holds */
  note(text: string): void
}

/** The part of AbortSignal that we use: the pure rings compile without a DOM. */
export interface AbortSignalLike {
  readonly aborted: boolean
  readonly reason?: unknown
  addEventListener(type: "abort", listener: () => void, options?: { once?: boolean }): void
  removeEventListener(type: "abort", listener: () => void): void
}

/** What the `run` outputs of a hook may name. Absent: only `retry`. */
export interface May {
  readonly retry: boolean
  readonly tools: readonly string[]
  readonly argv: readonly string[]
  readonly modules: readonly string[]
}

/** How far the hooks of a server's manifest go: what the operator says, and where nothing is said the least. */
export interface Grant {
  readonly server: string
  /** one more ceiling of theirs */
  readonly max: Level
  /** the tools that they may be about; absent: the server's own */
  readonly on?: Matcher
  readonly origin: Origin
}

/** The tools of a grant, as people write them. */
export const showScope = ({ server, on }: Grant): string => [on ?? `${server}/**`].flat().join(", ")

/** One hook, checked and with its defaults filled in. Plain data, `function` actions apart. */
export interface Hook {
  readonly id: string
  /** a point; in `observe`, a prefix of an event kind */
  readonly on: string
  readonly phase: Phase
  readonly when?: When
  readonly action: Action
  readonly effect: Level
  readonly floor: Level
  readonly failure: "open" | "closed"
  readonly timeoutMs: number
  readonly enabled: boolean
  readonly recheck: boolean
  readonly redact: boolean
  readonly may: May
  readonly description?: string
  /** absolute, or relative to the folder of the file that declares the hook */
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** folder of the declaring file: relative programs, modules and folders start here */
  readonly base?: string
  /** of a hook that a server's manifest declares: it is in force while that server's session lives */
  readonly grant?: Grant
  readonly origins: readonly Origin[]
}

/** Lowers `autonomy.max` where it matches. */
export interface CeilingEntry {
  readonly id?: string
  readonly if?: Logic
  readonly max: Level
  readonly reason?: string
  readonly origin: Origin
}

/** A value that knows where it came from. */
export interface Sourced<T> {
  readonly value: T
  readonly origin: Origin
}

/** An MCP server, by the name that `server/tool` uses. */
export interface ServerEntry {
  readonly command?: readonly string[]
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** by tool: what counts in place of what the server says of it */
  readonly annotations?: Readonly<Record<string, JsonObject>>
  /** milliseconds from its start to the end of the handshake */
  readonly startMs?: number
  /** milliseconds of one request; news of its progress starts them anew */
  readonly timeoutMs?: number
  /** requests at once; more wait their turn */
  readonly concurrency?: number
  /** the longest message of the server's that is read, in bytes */
  readonly maxBytes?: number
  /** the file that declares the server's own hooks */
  readonly manifest?: string
  /** how far these hooks go */
  readonly grant?: { readonly max?: Level; readonly on?: Matcher }
  /** its manifest was not read, as in a browser: its hooks are not among the policy's */
  readonly unread?: true
}

/** One entry of `script.<phase>`: lines of source, or, with `file`, the name of the file that holds them. */
export interface SourceLine extends Sourced<string> {
  /** where the file is: absolute, or relative to the working folder */
  readonly file?: string
}

export const SOURCE_PHASES = Object.freeze(["before", "prefix", "onSuccess", "onError", "suffix"] as const)
export type SourcePhase = (typeof SOURCE_PHASES)[number]

/**
 * A policy: one file's, or several layers' put together. Plain data, so that it can be cached.
 *
 * A list holds `null` where a file wrote `null`, the splice that stands for the list inherited from below; layering
 * removes these.
 */
export interface Policy {
  readonly version: 1
  readonly file?: string
  /** every `autonomy.max` that was said, of any layer: they combine by minimum */
  readonly autonomyMax: readonly Sourced<Level>[]
  readonly hooksAutonomy?: Sourced<Level>
  readonly ceilings: readonly CeilingEntry[]
  readonly hooks: readonly (Hook | null)[]
  /** `hooks: []` was written: the list inherited from below is replaced by nothing */
  readonly noHooks?: true
  readonly script: Readonly<Partial<Record<SourcePhase, readonly (SourceLine | null)[]>>>
  readonly servers: Readonly<Record<string, ServerEntry>>
  readonly model: ModelSettings
  /** settings of one value, by path, each with where it was said; read by policy/said.ts */
  readonly values: Readonly<Record<string, Sourced<string | number | boolean>>>
  /** settings that are lists of texts, by path */
  readonly lists: Readonly<Record<string, readonly (Sourced<string> | null)[]>>
  /** whether anything in it needs the regex engine, which is loaded only then */
  readonly needsRegex: boolean
  readonly warnings: readonly Finding[]
}
