import type { ArtifactFrame, ErrorValue, Frame } from "../frames/frames.ts"
import type { SourcePhase } from "../policy/policy.ts"
import type { Thrown } from "./errors.ts"

/** Descriptors of the child: its messages go out on one, the plan and the answers come in on the other. */
export const OUT_FD = 3
export const IN_FD = 4

/** Lines made ready: the expression of one async function, or why there is none. `name` stands in stack traces. */
export type Piece =
  | { readonly name: string; readonly code: string }
  | { readonly name: string; readonly broken: string }

/** What the child is to do: the first line on its descriptor 4. */
export interface Plan {
  /** an absolute path, or the code of `exec` */
  readonly script: { readonly file: string } | { readonly piece: Piece }
  readonly args: readonly unknown[]
  readonly phases: Readonly<Partial<Record<SourcePhase, Piece>>>
  /** whether stdout and stderr go out as messages */
  readonly frames: boolean
  /** the folder, default a fresh one, and the start of the ids */
  readonly artifacts: { readonly folder?: string; readonly prefix: string }
}

/** What the child says, one JSON line each. This inner channel knows no limit of a line. */
export type Message =
  | Extract<Frame, { type: "stdout" | "stderr" | "log" | "emit" }>
  | { readonly type: "artifact"; readonly frame: ArtifactFrame; readonly path: string }
  | {
      readonly type: "call"
      readonly id: number
      readonly server: string
      readonly tool: string
      readonly args: object
    }
  | { readonly type: "result"; readonly value?: unknown }
  | { readonly type: "error"; readonly error: Thrown }

/** What the child is told about one of its calls. */
export type CallAnswer =
  | { readonly id: number; readonly value?: unknown }
  | { readonly id: number; readonly error: ErrorValue }
