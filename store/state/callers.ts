import { createHash, randomBytes, timingSafeEqual } from "node:crypto"
import type { Level } from "../../effects/levels.ts"
import type { Database } from "../database.ts"
import { StoreError } from "../errors.ts"
import type { CallerRecord, CallerStore, NewCaller } from "../ports.ts"
import type { Scope } from "../scopes.ts"

export const CALLER_TABLE = `
  CREATE TABLE caller (
    id TEXT PRIMARY KEY, token BLOB NOT NULL UNIQUE, autonomy TEXT NOT NULL, scopes TEXT NOT NULL,
    description TEXT, env TEXT, added_at TEXT NOT NULL, revoked_at TEXT
  ) STRICT`

/** A token says whose it is to who finds it in a log, and nothing else. */
const PREFIX = "detent_"

const hashOf = (token: string): Buffer => createHash("sha256").update(token).digest()

/** Callers by the hash of their token: whoever reads the file can call as none of them. */
export const callerStore = (db: Database): CallerStore => ({
  async add(caller) {
    const token = PREFIX + randomBytes(32).toString("base64url")
    const addedAt = new Date().toISOString()
    const { id, autonomy, scopes, description = null, env = null } = caller
    await db.write(() => {
      if (db.sql("SELECT 1 FROM caller WHERE id = ?").get(id)) {
        throw new StoreError(`there is a caller \`${id}\` already`, "ids are never given again; take another")
      }
      db.sql("INSERT INTO caller VALUES (?, ?, ?, ?, ?, ?, ?, NULL)").run(
        id,
        hashOf(token),
        autonomy,
        JSON.stringify(scopes),
        description,
        env,
        addedAt,
      )
    })
    return { caller: { ...caller, addedAt }, token }
  },

  async find(token) {
    const hash = hashOf(token)
    let found: CallerRecord | undefined
    // All are compared, and each in full: how long it takes tells nothing of any of them.
    for (const row of db.sql("SELECT * FROM caller WHERE revoked_at IS NULL").all()) {
      if (timingSafeEqual(hash, row.token as Uint8Array)) found = recordOf(row)
    }
    return found
  },

  async list() {
    return db.sql("SELECT * FROM caller ORDER BY added_at, rowid").all().map(recordOf)
  },

  async revoke(id) {
    const now = new Date().toISOString()
    return await db.write(
      () => db.sql("UPDATE caller SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL").run(now, id).changes === 1,
    )
  },
})

function recordOf(row: Readonly<Record<string, unknown>>): CallerRecord {
  const { id, autonomy, scopes, description, env, added_at, revoked_at } = row as Record<string, string | null>
  return {
    id: id!,
    autonomy: autonomy as Level,
    scopes: JSON.parse(scopes!) as readonly Scope[],
    ...(description === null ? {} : { description }),
    ...(env === null ? {} : { env }),
    addedAt: added_at!,
    ...(revoked_at === null ? {} : { revokedAt: revoked_at }),
  } as CallerRecord & NewCaller
}
