import type { Checkpoint } from "./row.ts"

export interface VerifyOptions {
  /** public keys, PEM, that signatures may be of; default: the one beside the store */
  readonly keys?: readonly string[]
  /** checkpoints that were kept elsewhere: each must still be in the chain */
  readonly known?: readonly Checkpoint[]
}

/** One thing that is wrong with the record, and where. */
export interface AuditFinding {
  readonly what:
    | "missing"
    | "changed"
    | "moved"
    | "unchained"
    | "cut"
    | "unsigned"
    | "signature"
    | "recovered"
    | "damaged"
  /** the row, or the first of several */
  readonly seq: number
  readonly message: string
}

export interface Verification {
  readonly ok: boolean
  readonly rows: number
  readonly first?: number
  readonly last?: number
  readonly checkpoints: number
  readonly findings: readonly AuditFinding[]
}
