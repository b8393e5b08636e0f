import type { JsonObject } from "../effects/json.ts"
import type { Level } from "../effects/levels.ts"
import type { Answer, AskedQuestion } from "../frames/frames.ts"
import type { AbortSignalLike } from "../policy/policy.ts"
import type { AuditQuery } from "./audit/query.ts"
import type { AuditRow, Checkpoint, Decision } from "./audit/row.ts"
import type { Verification, VerifyOptions } from "./audit/verify.ts"
import type { Scope } from "./scopes.ts"

// What is remembered, as ports: a file of SQLite stands behind each today, and a shared database may later. Every method
// answers a promise for that reason. What cannot be written or read is a `StoreError`; an answer that is no is a value.

/** Reads the record of decisions. Many may read while one writes. */
export interface AuditReader {
  /** rows in the order in which they were written */
  rows(query?: AuditQuery): AsyncIterable<AuditRow>
  /** the signed checkpoints that are kept, oldest first, the newest signature last */
  checkpoints(): Promise<readonly Checkpoint[]>
  /**
   * Hands out an export line by line: the rows that are wanted, as the record has them at one moment, and last a signature of
   * them all where the key is there. It ends where `write` answers false. With `anyway` also where the record does not hold,
   * and then without the signature. @throws StoreError where it does not hold
   */
  exported(query: AuditQuery, write: (line: string) => boolean, options?: { readonly anyway?: boolean }): Promise<void>
  /** the public key that checks the signatures, as PEM; undefined where none has been made yet */
  publicKey(): Promise<string | undefined>
  /** whether every row is there, unchanged and in its place */
  verify(options?: VerifyOptions): Promise<Verification>
  close(): Promise<void>
}

/** The record of decisions: it only ever grows at its end, and loses what is pruned at its start. */
export interface AuditStore extends AuditReader {
  /**
   * Writes one decision. It resolves once the row would survive the process and the machine, and rejects where it
   * cannot be written: then nothing of it is in the record.
   */
  append(decision: Decision): Promise<Receipt>
  /** Takes the oldest rows out and leaves a signed checkpoint that says where the chain begins now. */
  prune(keep: Keep): Promise<Pruned>
}

/** Where a decision stands in the record. */
export interface Receipt {
  readonly seq: number
  /** the row's hash, lower-case hex */
  readonly hash: string
}

/** What a prune leaves; where both are given, what either would take goes. */
export interface Keep {
  /** rows that are not older than this, ISO 8601 */
  readonly since?: string
  /** that many, the newest */
  readonly rows?: number
  /** also where the record does not hold: the proof of that may go with the rows */
  readonly anyway?: boolean
  /** so many rows go at once, and only these are verified before; absent: all that are to go, and the whole record is */
  readonly atMost?: number
}

export interface Pruned {
  readonly rows: number
  /** signed when rows went; absent where there was nothing to take */
  readonly checkpoint?: Checkpoint
}

/** A question that waits for a person, or did. */
export interface Approval {
  readonly id: string
  /** the id of the caller whose operation asks */
  readonly caller: string
  /** what the answer is good for: `bindingOf` of the operation */
  readonly binding: string
  readonly questions: readonly AskedQuestion[]
  /** what is shown to who answers */
  readonly event: JsonObject
  /** ISO 8601 */
  readonly openedAt: string
  readonly expiresAt: string
  readonly state: ApprovalState
  /** one for each question */
  readonly answers?: readonly Answer[]
  readonly answeredBy?: Answerer
  readonly answeredAt?: string
}

export type ApprovalState = "open" | "answered" | "redeemed" | "expired" | "withdrawn"

/** Who answered, and whether a token or the system says so or only who answered itself. */
export interface Answerer {
  readonly id: string
  readonly known: "authenticated" | "self-reported"
}

export type NewApproval = Pick<Approval, "id" | "caller" | "binding" | "questions" | "event" | "expiresAt">

/** Why an approval could not be answered or redeemed. */
export type ApprovalFault =
  | "unknown"
  | "own"
  | "answered"
  | "open"
  | "redeemed"
  | "expired"
  | "withdrawn"
  | "changed"
  | "caller"
  | "answer"

export type ApprovalResult =
  | { readonly ok: true; readonly approval: Approval }
  | { readonly ok: false; readonly fault: ApprovalFault; readonly message: string }

/** Questions that outlive the process. */
export interface ApprovalStore {
  /** Keeps a question; it resolves once a restart would find it. */
  open(approval: NewApproval): Promise<Approval>
  get(id: string): Promise<Approval | undefined>
  /** oldest first */
  list(filter?: { readonly state?: ApprovalState; readonly caller?: string }): Promise<readonly Approval[]>
  /** Answers all questions of an approval, once; never by the caller that caused it. */
  answer(id: string, answers: readonly Answer[], by: Answerer): Promise<ApprovalResult>
  /** Takes the answers, once and atomically, for the same caller and the same operation. */
  redeem(id: string, by: { readonly caller: string; readonly binding: string }): Promise<ApprovalResult>
  /** Gives a question up: its operation was cancelled. */
  withdraw(id: string): Promise<boolean>
  /** Resolves when an approval is open no longer, whichever process ended that. */
  settled(id: string, signal?: AbortSignalLike): Promise<Approval | undefined>
}

/** A caller with a token. The token itself is nowhere: its hash is. */
export interface CallerRecord {
  readonly id: string
  /** the highest `hooks.autonomy` that it may say */
  readonly autonomy: Level
  readonly scopes: readonly Scope[]
  readonly description?: string
  /** `caller.env` in conditions */
  readonly env?: string
  readonly addedAt: string
  readonly revokedAt?: string
}

export type NewCaller = Omit<CallerRecord, "addedAt" | "revokedAt">

/** Who may call, by token. */
export interface CallerStore {
  /** Adds a caller; the token is told here and never again. @throws StoreError where the id is taken */
  add(caller: NewCaller): Promise<{ readonly caller: CallerRecord; readonly token: string }>
  /** whose token it is; undefined for nobody's and for a revoked one. Takes as long either way. */
  find(token: string): Promise<CallerRecord | undefined>
  /** all that were ever added, oldest first */
  list(): Promise<readonly CallerRecord[]>
  /** false where there is no such caller in force */
  revoke(id: string): Promise<boolean>
}

/** A notice: a conversation of one message that a hook or a command left for the user. */
export interface Thread {
  readonly id: string
  readonly title?: string
  readonly message: string
  readonly cwd: string
  readonly unread: boolean
  /** who made it */
  readonly caller: string
  readonly createdAt: string
}

/** Notices for the user. */
export interface ThreadStore {
  create(thread: Pick<Thread, "title" | "message" | "cwd" | "unread" | "caller">): Promise<Thread>
  get(id: string): Promise<Thread | undefined>
  /** newest first */
  list(filter?: { readonly unread?: boolean }): Promise<readonly Thread[]>
  /** Marks one as read, or as unread again; false where there is none. */
  mark(id: string, unread: boolean): Promise<boolean>
}
