import { closeSync, constants, openSync, readFileSync, writeSync } from "node:fs"
import { join } from "node:path"
import { isObject } from "../../effects/json.ts"
import { Database } from "../database.ts"
import type { Sealed } from "./chain.ts"
import { type Checkpoint, GENESIS } from "./row.ts"

export const AUDIT_FILE = "audit.db"
export const KEY_FILE = "audit.key"
const HEAD_FILE = "audit.head"

// A row's content stands in it once, as the text that its hash is of: there is no column that could say otherwise.
const SCHEMA = `
  CREATE TABLE row (seq INTEGER PRIMARY KEY, body TEXT NOT NULL, hash TEXT NOT NULL) STRICT;
  CREATE TABLE checkpoint (seq INTEGER NOT NULL, body TEXT NOT NULL) STRICT;
  CREATE TABLE head (one INTEGER PRIMARY KEY CHECK (one = 1), body TEXT NOT NULL) STRICT`

/** Room for one checkpoint: it is written over the one before, in one piece. */
const HEAD_BYTES = 1024

/** The record's file: rows, checkpoints, and the newest signature, which is in a file beside it, too. */
export class AuditFile {
  readonly db: Database
  readonly #headPath: string
  #headHandle: number | undefined

  private constructor(db: Database, folder: string) {
    this.db = db
    this.#headPath = join(folder, HEAD_FILE)
  }

  static async open(folder: string, write: boolean, lockMs?: number): Promise<AuditFile> {
    const path = join(folder, AUDIT_FILE)
    const more = lockMs === undefined ? {} : { lockMs }
    return new AuditFile(await Database.open(path, { schema: SCHEMA, version: 1, write, ...more }), folder)
  }

  /** Rows after `seq`, in their order. */
  after(seq: number, limit: number): readonly Sealed[] {
    return this.db.sql("SELECT seq, body, hash FROM row WHERE seq > ? ORDER BY seq LIMIT ?").all(seq, limit).map(asRow)
  }

  /** Rows before `seq`, the newest first. */
  before(seq: number, limit: number): readonly Sealed[] {
    const rows = this.db.sql("SELECT seq, body, hash FROM row WHERE seq < ? ORDER BY seq DESC LIMIT ?").all(seq, limit)
    return rows.map(asRow)
  }

  insert({ seq, body, hash }: Sealed): void {
    this.db.sql("INSERT INTO row VALUES (?, ?, ?)").run(seq, body, hash)
  }

  /** Takes the rows before `seq` out, and what was signed about them alone. */
  dropBefore(seq: number): number {
    this.db.sql("PRAGMA secure_delete = ON").all()
    this.db.sql("DELETE FROM checkpoint WHERE seq < ?").run(seq)
    return this.db.sql("DELETE FROM row WHERE seq < ?").run(seq).changes
  }

  checkpoints(): readonly Checkpoint[] {
    const rows = this.db.sql("SELECT body FROM checkpoint ORDER BY seq, rowid").all()
    return rows.map(({ body }) => checkpointOf(String(body)))
  }

  addCheckpoint(checkpoint: Checkpoint): void {
    this.db.sql("INSERT INTO checkpoint VALUES (?, ?)").run(checkpoint.seq, JSON.stringify(checkpoint))
  }

  head(): Checkpoint | undefined {
    const row = this.db.sql("SELECT body FROM head").get()
    return row && checkpointOf(String(row.body))
  }

  setHead(head: Checkpoint): void {
    this.db.sql("INSERT OR REPLACE INTO head VALUES (1, ?)").run(JSON.stringify(head))
  }

  /** The signature beside the file; undefined where there is none, or it is no whole one. */
  headBeside(): Checkpoint | undefined {
    try {
      return checkpointOf(readFileSync(this.#headPath, "utf8"))
    } catch {
      return undefined
    }
  }

  /** A copy that tells when the file itself was put back: it may lag behind, and is not waited for. */
  setHeadBeside(head: Checkpoint): void {
    try {
      // Neither cut nor appended to: what is there is written over in place.
      this.#headHandle ??= openSync(
        this.#headPath,
        constants.O_CREAT | constants.O_WRONLY | constants.O_NOFOLLOW,
        0o600,
      )
      writeSync(this.#headHandle, `${JSON.stringify(head).padEnd(HEAD_BYTES - 1)}\n`, 0)
    } catch {
      // The row is written, and what is beside it is older: it is still in the chain.
    }
  }

  /** Leaves nothing of what was dropped in the files: neither in free pages nor in the log. */
  forget(): void {
    this.db.sql("PRAGMA wal_checkpoint(TRUNCATE)").all()
  }

  close(): void {
    if (this.#headHandle !== undefined) closeSync(this.#headHandle)
    this.#headHandle = undefined
    this.db.close()
  }
}

/** A text that is none is one that no key has signed: it is found like any other forgery. */
function checkpointOf(body: string): Checkpoint {
  try {
    const read: unknown = JSON.parse(body)
    if (isObject(read) && typeof read.signature === "string" && Number.isSafeInteger(read.seq)) {
      return read as unknown as Checkpoint
    }
  } catch {
    // It is no JSON.
  }
  return { why: "head", time: "", seq: 0, hash: "", first: 1, from: GENESIS, key: "", signature: "" }
}

const asRow = ({ seq, body, hash }: Readonly<Record<string, unknown>>): Sealed => ({
  seq: Number(seq),
  body: String(body),
  hash: String(hash),
})
