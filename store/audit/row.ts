import type { JsonObject } from "../../effects/json.ts"
import type { Level } from "../../effects/levels.ts"
import type { CeilingSource, ErrorValue, Frame, Outcome, Verdict } from "../../frames/frames.ts"

/** What is recorded of one decision. */
export interface Decision {
  /** who asked, with what its token's record says */
  readonly caller: JsonObject
  /** a point; or where something was refused before any point was reached: `http`, `mcp` */
  readonly on: string
  /** the moment, where one was fired on its own; absent: a whole operation */
  readonly phase?: string
  readonly session?: string
  readonly agent?: string
  readonly server?: string
  readonly tool?: string
  /** the subject of `before`, after all hooks */
  readonly input?: unknown
  /** what the caller sent, where hooks changed it */
  readonly sent?: unknown
  readonly outcome: Outcome | "error"
  readonly refusal?: Verdict["refusal"]
  readonly error?: Pick<ErrorValue, "code" | "message">
  /** the question that this left open, or whose answer let it go on */
  readonly approval?: string
  /** the hooks that ran or were skipped, in order */
  readonly hooks?: readonly { readonly id: string; readonly effect: Level }[]
  /** the ceilings that lowered something, and where each was said */
  readonly ceilings?: readonly CeilingSource[]
  readonly hashes?: {
    /** of the policy in force, as `policyHash` makes it */
    readonly policy?: string
    /** of the input, before anything of it was redacted */
    readonly input?: string
    readonly result?: string
  }
  /** without what a script printed; the result by its hash */
  readonly frames?: readonly Frame[]
  /** frames of a script's own output that are not kept: how many, by type */
  readonly left?: Readonly<Record<string, number>>
  readonly durationMs?: number
}

/** One row of the record: a decision in its place in the chain. */
export interface AuditRow extends Decision {
  /** from 1, without a gap */
  readonly seq: number
  /** ISO 8601, when it was written */
  readonly time: string
  /** hash of the row before */
  readonly prev: string
  /** SHA-256 of the canonical JSON of all other members, lower-case hex */
  readonly hash: string
  /** the chain was found cut here: what the last signature said, and what was there */
  readonly recovered?: { readonly expected: ChainEnd; readonly found: ChainEnd }
}

/** Where a chain ends. */
export interface ChainEnd {
  readonly seq: number
  readonly hash: string
}

/** The hash that the first row of all follows. */
export const GENESIS = "0".repeat(64)

/** What is signed: up to which row the chain goes, and where it begins. */
export interface CheckpointBody {
  readonly why: "head" | "interval" | "prune" | "export"
  readonly time: string
  /** the last row, and its hash */
  readonly seq: number
  readonly hash: string
  /** the first row that is kept, and the hash that it follows */
  readonly first: number
  readonly from: string
  /** which key signed: the start of its SHA-256 */
  readonly key: string
}

export interface Checkpoint extends CheckpointBody {
  /** Ed25519 over the canonical JSON of all other members, base64 */
  readonly signature: string
}

/** The last line of an export: what was exported, signed. Its chain begins with `first` and ends with `seq`. */
export interface ExportSeal extends Checkpoint {
  readonly why: "export"
  /** how many rows; fewer than from `first` to `seq`: a selection */
  readonly rows: number
  /** SHA-256 of the hashes of its rows, one after another */
  readonly digest: string
  /** what the rows were selected by */
  readonly query: JsonObject
}
