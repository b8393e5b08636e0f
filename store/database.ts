import { closeSync, constants, lstatSync, openSync, statSync } from "node:fs"
import { dirname } from "node:path"
import Sqlite from "libsql"
import { ensurePrivateFolder, isPrivateFolder } from "../settings/private.ts"
import { isBusy, StoreError, storeError } from "./errors.ts"

export interface DatabaseOptions {
  /** the tables, made where they are not there */
  readonly schema: string
  /** which schema this is: a file with a higher number was made by a newer detent */
  readonly version: number
  /** whether the file is made where it is not there; otherwise it is only read */
  readonly write: boolean
  /** milliseconds for which a write waits for another process's; default 5000 */
  readonly lockMs?: number
}

type Row = Readonly<Record<string, unknown>>

export interface Statement {
  run(...values: readonly unknown[]): { readonly changes: number }
  get(...values: readonly unknown[]): Row | undefined
  all(...values: readonly unknown[]): readonly Row[]
  iterate(...values: readonly unknown[]): IterableIterator<Row>
}

/** How long SQLite itself waits for a lock before we do, with the event loop free: milliseconds. */
const BUSY_MS = 5

/** One file of SQLite that is this user's alone, with a log of its own (WAL), written through to the disk. */
export class Database {
  readonly path: string
  readonly #db: InstanceType<typeof Sqlite>
  readonly #lockMs: number
  readonly #write: boolean
  readonly #inode: bigint
  readonly #statements = new Map<string, Statement>()

  private constructor(path: string, db: InstanceType<typeof Sqlite>, write: boolean, lockMs: number) {
    this.path = path
    this.#db = db
    this.#lockMs = lockMs
    this.#write = write
    this.#inode = inodeOf(path) ?? -1n
  }

  /** @throws StoreError where the file is not this user's alone, is no store, or cannot be opened. */
  static async open(path: string, { schema, version, write, lockMs = 5000 }: DatabaseOptions): Promise<Database> {
    makePrivate(path, write)
    return await whenFree(path, lockMs, () => {
      const db = new Sqlite(path, { timeout: BUSY_MS })
      try {
        if (write) db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON")
        if (versionOf(db) > version) {
          throw new StoreError(`\`${path}\` was written by a newer detent`, "update detent, or name another folder")
        }
        if (!write && versionOf(db) === 0) {
          throw new StoreError(`\`${path}\` holds nothing`, "it is empty, or the log beside it (`-wal`) is missing")
        }
        if (!write) db.exec("PRAGMA query_only = ON")
        else if (versionOf(db) < version) makeTables(db, schema, version)
        return new Database(path, db, write, lockMs)
      } catch (cause) {
        db.close()
        throw cause
      }
    })
  }

  /** A prepared statement; the same text is prepared once. */
  sql(text: string): Statement {
    let statement = this.#statements.get(text)
    if (!statement) {
      statement = this.#db.prepare(text) as unknown as Statement
      this.#statements.set(text, statement)
    }
    return statement
  }

  /**
   * Runs `fn` in a transaction that is on the disk when this resolves; waits for other writers with the event loop free.
   *
   * INVARIANT: what was written is in the file that has the name now (test/store/durable.test.ts).
   */
  async write<T>(fn: () => T): Promise<T> {
    return await whenFree(this.path, this.#lockMs, () => this.#transaction("IMMEDIATE", fn))
  }

  /** Runs `fn` on one state of the file, whatever others write meanwhile. */
  snapshot<T>(fn: () => T): T {
    try {
      return this.#transaction("DEFERRED", fn)
    } catch (cause) {
      throw storeError(this.path, cause)
    }
  }

  #transaction<T>(mode: "IMMEDIATE" | "DEFERRED", fn: () => T): T {
    if (inodeOf(this.path) !== this.#inode) {
      throw new StoreError(`\`${this.path}\` was taken away or replaced while it was in use`, "start the process anew")
    }
    this.#db.exec(`BEGIN ${mode}`)
    try {
      const value = fn()
      this.#db.exec("COMMIT")
      return value
    } catch (cause) {
      if (this.#db.inTransaction) this.#db.exec("ROLLBACK")
      throw cause
    }
  }

  /** What stands in the log goes into the file: statements that are not collected yet would keep SQLite from doing so. */
  close(): void {
    if (!this.#db.open) return
    this.#statements.clear()
    try {
      if (this.#write) this.#db.prepare("PRAGMA wal_checkpoint(TRUNCATE)").all()
    } catch {
      // It stays in the log, from which the next process reads it.
    }
    this.#db.close()
  }
}

const versionOf = (db: InstanceType<typeof Sqlite>): number =>
  (db.prepare("PRAGMA user_version").get() as { user_version: number }).user_version

function makeTables(db: InstanceType<typeof Sqlite>, schema: string, version: number): void {
  db.exec("BEGIN IMMEDIATE")
  // Another process may have made them while this one waited.
  if (versionOf(db) < version) db.exec(`${schema}; PRAGMA user_version = ${version}`)
  db.exec("COMMIT")
}

/** The number of the file that has this name; undefined where there is none. */
const inodeOf = (path: string): bigint | undefined => statSync(path, { bigint: true, throwIfNoEntry: false })?.ino

/** Makes the folder and an empty file where they are not there, and refuses what others could have written or can read. */
function makePrivate(path: string, write: boolean): void {
  const folder = dirname(path)
  if (!(write ? ensurePrivateFolder(folder) : isPrivateFolder(folder))) {
    throw new StoreError(
      `the folder \`${folder}\` must be there and belong to you alone`,
      `chmod 700 ${folder}; XDG_STATE_HOME names another place`,
    )
  }
  // SQLite gives the files beside it the mode of this one.
  if (write) makeEmpty(path)
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (!stat) throw new StoreError(`there is no store \`${path}\``, "nothing has been recorded there yet")
  const mine = stat.uid === (process.getuid?.() ?? stat.uid)
  if (!stat.isFile() || !mine || (stat.mode & 0o077) !== 0) {
    throw new StoreError(`\`${path}\` must be a file that belongs to you alone`, `chmod 600 ${path}`)
  }
}

function makeEmpty(path: string): void {
  try {
    closeSync(openSync(path, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600))
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code !== "EEXIST")
      throw new StoreError(`\`${path}\` cannot be made: ${code}`, "its folder must be yours to write")
  }
}

/** Tries until no other process holds the file, or the time is up. */
async function whenFree<T>(path: string, lockMs: number, fn: () => T): Promise<T> {
  const until = Date.now() + lockMs
  for (let wait = 1; ; wait = Math.min(wait * 2, 50)) {
    try {
      return fn()
    } catch (cause) {
      if (!isBusy(cause) || Date.now() >= until) throw storeError(path, cause)
      await new Promise((resolve) => setTimeout(resolve, wait))
    }
  }
}
