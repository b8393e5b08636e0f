import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, renameSync, statSync } from "node:fs"
import { join } from "node:path"
import Sqlite from "libsql"
import { expect, it } from "vitest"
import { canonicalJson } from "../../effects/json.ts"
import type { AuditQuery } from "../../store/audit/query.ts"
import type { AuditRow } from "../../store/audit/row.ts"
import { openAudit, readAudit } from "../../store/audit/store.ts"
import { privateFolder } from "./folder.ts"
import { decision, record, tamper, told, verify } from "./records.ts"

async function rows(folder: string, query: AuditQuery = {}): Promise<AuditRow[]> {
  const audit = await readAudit(folder)
  const all: AuditRow[] = []
  for await (const row of audit.rows(query)) all.push(row)
  await audit.close()
  return all
}

it("each row holds what was decided, and the hash of the row before", async () => {
  const all = await rows(await record(3))
  expect(all.map(({ seq }) => seq)).toEqual([1, 2, 3])
  expect(all[1]).toMatchObject({ ...decision(2), prev: all[0]!.hash, time: expect.stringMatching(/^\d{4}-.*Z$/) })
  expect(all[0]!.prev).toBe("0".repeat(64))
})

it("anybody can compute a row's hash from the row as it is exported", async () => {
  for (const { hash, ...rest } of await rows(await record(3))) {
    expect(createHash("sha256").update(canonicalJson(rest)).digest("hex")).toBe(hash)
  }
})

it("every file is 0600", async () => {
  const folder = privateFolder()
  const audit = await openAudit(folder)
  await audit.append(decision(1))
  expect(readdirSync(folder).sort()).toEqual(["audit.db", "audit.db-shm", "audit.db-wal", "audit.head", "audit.key"])
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777, name).toBe(0o600)
  await audit.close()
})

it("rows are found by outcome, hook, caller, tool, time, and the newest of them", async () => {
  const folder = await record(60)
  const found = async (query: AuditQuery) => (await rows(folder, query)).map(({ seq }) => seq)
  expect(await found({ outcome: "refuse", after: 40 })).toEqual([45, 50, 55, 60])
  expect(await found({ hook: "h2", last: 2 })).toEqual([54, 58])
  expect(await found({ caller: "ann", tool: "write_file", last: 2 })).toEqual([51, 57])
  expect(await found({ tool: "fs/write_file", after: 54 })).toEqual([57, 60])
  expect(await found({ tool: "other/write_file" })).toEqual([])
  const { time } = (await rows(folder))[0]!
  expect(await found({ since: time, last: 1 })).toEqual([60])
  expect(await found({ until: time })).toEqual([])
  expect(await found({ last: 0 })).toEqual([])
})

it("a long record is read to its end, in order", async () => {
  const folder = await record(1203)
  expect((await rows(folder)).map(({ seq }) => seq)).toEqual(Array.from({ length: 1203 }, (_, at) => at + 1))
  expect((await rows(folder, { last: 700 }))[0]!.seq).toBe(504)
})

it("a signature is kept each thousand rows, besides the newest", async () => {
  const folder = await record(2500)
  const audit = await readAudit(folder)
  const checkpoints = await audit.checkpoints()
  await audit.close()
  expect(checkpoints.map(({ why, seq }) => [why, seq])).toEqual([
    ["interval", 1000],
    ["interval", 2000],
    ["head", 2500],
  ])
  expect(await verify(folder)).toMatchObject({ ok: true, rows: 2500 })
})

it("fields that a rule names are stored nowhere, and their hashes are", async () => {
  const folder = privateFolder()
  const audit = await openAudit(folder, { redact: ["input.password", "caller.claims.*", "frames.*.advise", "no.such"] })
  await audit.append(
    decision(1, {
      caller: { id: "ci", claims: { mail: "ann@example.org", age: 3 } },
      input: { user: "ann", password: "hunter2" },
      sent: { user: "bob", password: "hunter2" },
      frames: [
        {
          type: "hook",
          on: "call",
          phase: "before",
          hook: "h",
          action: "rule",
          effect: "apply",
          durationMs: 1,
          changed: true,
          original: { user: "bob", password: "hunter2" },
          propose: { input: { password: "hunter2" } },
          advise: [{ text: "hunter2" }],
        },
      ],
    }),
  )
  const hidden = { sha256: createHash("sha256").update('"hunter2"').digest("hex"), bytes: 9 }
  for (const name of readdirSync(folder)) {
    const text = readFileSync(join(folder, name), "latin1")
    expect(text.includes("hunter2") || text.includes("ann@"), name).toBe(false)
  }
  await audit.close()
  const [row] = await rows(folder)
  expect(row).toMatchObject({ input: { user: "ann", password: hidden }, sent: { user: "bob", password: hidden } })
  expect(row!.frames![0]).toMatchObject({ original: { password: hidden }, propose: { input: { password: hidden } } })
})

it("an object that only looks hidden is hidden all the same", async () => {
  const folder = privateFolder()
  const audit = await openAudit(folder, { redact: ["input.password"] })
  await audit.append(decision(1, { input: { password: { sha256: "a".repeat(64), bytes: "hunter2" } } }))
  await audit.close()
  expect(JSON.stringify(await rows(folder))).not.toContain("hunter2")
})

it("what is pruned is gone from the files, and a signature says where the record begins", async () => {
  const folder = privateFolder()
  const audit = await openAudit(folder)
  for (let at = 1; at <= 30; at++) await audit.append(decision(at))
  const { rows: gone, checkpoint } = await audit.prune({ rows: 10 })
  expect(gone).toBe(20)
  expect(checkpoint).toMatchObject({ why: "prune", first: 21, seq: 30 })
  for (const name of readdirSync(folder))
    expect(readFileSync(join(folder, name)).includes("/src/f20.ts"), name).toBe(false)
  await audit.append(decision(31))
  await audit.close()
  expect((await rows(folder))[0]).toMatchObject({ seq: 21, prev: checkpoint!.from })
  expect(await verify(folder)).toMatchObject({ ok: true, rows: 11, first: 21, last: 31 })
})

it("rows are pruned by age, and all of them may go", async () => {
  const folder = privateFolder()
  const audit = await openAudit(folder)
  for (let at = 1; at <= 5; at++) await audit.append(decision(at))
  expect(await audit.prune({ since: "2000-01-01" })).toEqual({ rows: 0 })
  expect(await audit.prune({ since: "2999-01-01" })).toMatchObject({ rows: 5, checkpoint: { first: 6, seq: 5 } })
  expect(await audit.verify()).toMatchObject({ ok: true, rows: 0 })
  expect(await audit.append(decision(6))).toMatchObject({ seq: 6 })
  expect(await audit.verify()).toMatchObject({ ok: true, rows: 1 })
  await expect(audit.prune({ since: "yesterday" })).rejects.toThrow("`yesterday` is no time")
  await expect(audit.prune({ rows: -1 })).rejects.toThrow("`-1` is no number of rows")
  await audit.close()
})

it("rows that go without a prune are found, though a prune went before", async () => {
  const folder = privateFolder()
  const audit = await openAudit(folder)
  for (let at = 1; at <= 30; at++) await audit.append(decision(at))
  await audit.prune({ rows: 10 })
  await audit.close()
  tamper(folder, "DELETE FROM row WHERE seq < 24")
  expect(told(await verify(folder))).toEqual(["missing 21"])
})

it("a record that does not hold is not pruned, unless somebody says so", async () => {
  const folder = await record(10)
  tamper(folder, "DELETE FROM row WHERE seq = 3")
  const audit = await openAudit(folder)
  await expect(audit.prune({ rows: 2 })).rejects.toThrow(/pruning it would take the proof away/)
  expect(await audit.prune({ rows: 2, anyway: true })).toMatchObject({ rows: 7 })
  expect(await audit.verify()).toMatchObject({ ok: true, rows: 2 })
  await audit.close()
})

it("a decision that is no JSON is refused alone", async () => {
  const folder = privateFolder()
  const audit = await openAudit(folder)
  const all = await Promise.allSettled([
    audit.append(decision(1)),
    audit.append(decision(2, { input: 1n })),
    audit.append(decision(3)),
  ])
  expect(all.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"])
  await audit.close()
  expect(await verify(folder)).toMatchObject({ ok: true, rows: 2 })
})

it("a file that another process holds for too long is an error, and nothing of the decision is in the record", async () => {
  const folder = privateFolder()
  const audit = await openAudit(folder, { lockMs: 50 })
  await audit.append(decision(1))
  const holder = new Sqlite(join(folder, "audit.db"))
  holder.exec("BEGIN IMMEDIATE")
  await expect(audit.append(decision(2))).rejects.toMatchObject({
    message: expect.stringMatching(/is locked by another/),
  })
  holder.exec("ROLLBACK")
  holder.close()
  expect(await audit.append(decision(3))).toMatchObject({ seq: 2 })
  await audit.close()
})

it("a write that fails is an error, and once it can be done the record goes on", async () => {
  const folder = privateFolder()
  const audit = await openAudit(folder)
  await audit.append(decision(1))
  tamper(folder, "CREATE TRIGGER full BEFORE INSERT ON row BEGIN SELECT RAISE(ABORT, 'not now'); END")
  await expect(audit.append(decision(2))).rejects.toThrow(/failed: not now/)
  tamper(folder, "DROP TRIGGER full")
  expect(await audit.append(decision(3))).toMatchObject({ seq: 2 })
  await audit.close()
  expect(await verify(folder)).toMatchObject({ ok: true, rows: 2 })
})

it("a record that is moved away while it is written takes nothing more", async () => {
  const folder = privateFolder()
  const audit = await openAudit(folder)
  await audit.append(decision(1))
  renameSync(join(folder, "audit.db"), join(folder, "old.db"))
  await expect(audit.append(decision(2))).rejects.toThrow(/was taken away or replaced/)
  expect(existsSync(join(folder, "audit.db"))).toBe(false)
  await audit.close()
})

it("closing waits for what was appended", async () => {
  const folder = privateFolder()
  const audit = await openAudit(folder)
  const append = audit.append(decision(1))
  await audit.close()
  expect(await append).toMatchObject({ seq: 1 })
})

it("there is nothing to read where nothing was recorded, and reading makes nothing", async () => {
  const folder = privateFolder()
  await expect(readAudit(folder)).rejects.toThrow(/there is no store/)
  expect(readdirSync(folder)).toEqual([])
})
