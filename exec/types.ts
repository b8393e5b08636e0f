import type { JsonObject } from "../effects/json.ts"
import type { Engine } from "../engine/engine.ts"
import type { FireOptions } from "../engine/given.ts"
import type { ErrorValue, Frame, Outcome } from "../frames/frames.ts"
import type { AbortSignalLike } from "../policy/policy.ts"
import type { SourceChoice } from "./sources.ts"

/** The part of the engine that a script run needs: it tells start, the hooks, result or error, the suffix and end. */
export type ScriptEngine = Pick<Engine, "around">

/** Sends one tool call of the script; the signal is aborted when the script has ended. */
export type ScriptCall = (server: string, tool: string, args: JsonObject, signal: AbortSignal) => Promise<unknown>

/** One script: exactly one of `file` and `code`. */
export interface ScriptRequest {
  /** relative to `cwd`; hooks see it whole */
  readonly file?: string
  readonly code?: string
  /** a list, each an argument of the entry point, or an object, which is its one argument */
  readonly args?: readonly unknown[] | JsonObject
  /** working folder, default the process's own */
  readonly cwd?: string
  /** the script's whole environment */
  readonly env: Readonly<Record<string, string | undefined>>
  /** the lines of `script.<phase>` and the levels that they must reach */
  readonly sources?: SourceChoice
  /** absent: `call` in the script fails as unavailable */
  readonly call?: ScriptCall
  /** more members of the event: `session`, … */
  readonly event?: JsonObject
}

/** `caller`, `autonomy`, `host` and `timeoutMs` are the engine's. */
export interface RunOptions extends Omit<FireOptions, "signal"> {
  readonly onFrame?: (frame: Frame) => void
  /** kills the script's whole process tree */
  readonly signal?: AbortSignalLike
  /** true: output is told in frames; false: the script has this process's stdout and stderr */
  readonly frames: boolean
  /** the script's stdin: this process's own, nothing, or these bytes */
  readonly stdin: "inherit" | "ignore" | Uint8Array
  /** "stream": the bytes of artifacts follow the `end` frame */
  readonly delivery?: "inline" | "stream"
  /** where artifacts are written, default a fresh folder among the temporary files */
  readonly artifactsDir?: string
  /** passes SIGINT, SIGTERM and SIGHUP of this process on to the script */
  readonly signals?: boolean
  /** one sentence for each thing that the user should know: lines that were skipped, and why */
  readonly onNotice?: (text: string) => void
}

export interface RunResult {
  /** as the `end` frame has it: the script's own; 126 when refused */
  readonly exitCode: number
  readonly outcome: Outcome
  /** absent when the script failed, was refused, or gave nothing */
  readonly value?: unknown
  readonly error?: ErrorValue
}
