import { randomUUID } from "node:crypto"
import type { Database } from "../database.ts"
import type { Thread, ThreadStore } from "../ports.ts"

export const THREAD_TABLE = `
  CREATE TABLE thread (
    id TEXT PRIMARY KEY, title TEXT, message TEXT NOT NULL, cwd TEXT NOT NULL, unread INTEGER NOT NULL,
    caller TEXT NOT NULL, created_at TEXT NOT NULL
  ) STRICT`

export const threadStore = (db: Database): ThreadStore => ({
  async create(thread) {
    const made: Thread = { id: randomUUID(), ...thread, createdAt: new Date().toISOString() }
    const { id, title = null, message, cwd, unread, caller, createdAt } = made
    await db.write(() =>
      db
        .sql("INSERT INTO thread VALUES (?, ?, ?, ?, ?, ?, ?)")
        .run(id, title, message, cwd, unread ? 1 : 0, caller, createdAt),
    )
    return made
  },

  async get(id) {
    const row = db.sql("SELECT * FROM thread WHERE id = ?").get(id)
    return row && threadOf(row)
  },

  async list({ unread } = {}) {
    const rows = db.sql("SELECT * FROM thread ORDER BY created_at DESC, rowid DESC").all().map(threadOf)
    return unread === undefined ? rows : rows.filter((thread) => thread.unread === unread)
  },

  async mark(id, unread) {
    return await db.write(
      () => db.sql("UPDATE thread SET unread = ? WHERE id = ?").run(unread ? 1 : 0, id).changes === 1,
    )
  },
})

function threadOf(row: Readonly<Record<string, unknown>>): Thread {
  const { id, title, message, cwd, unread, caller, created_at } = row as Record<string, string | null>
  return {
    id: id!,
    ...(title === null ? {} : { title: title! }),
    message: message!,
    cwd: cwd!,
    unread: Number(unread) === 1,
    caller: caller!,
    createdAt: created_at!,
  }
}
