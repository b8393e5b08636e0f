import { copyFileSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { membersOf, seal } from "../../store/audit/chain.ts"
import type { AuditRow } from "../../store/audit/row.ts"
import { openAudit, readAudit } from "../../store/audit/store.ts"
import { privateFolder } from "./folder.ts"
import { decision, record, tamper, told, verify } from "./records.ts"

it("a record that nobody touched holds, from its first row to its last", async () => {
  const folder = await record(25)
  const keys = [expect.stringMatching(/^[0-9a-f]{16}$/)]
  expect(await verify(folder)).toEqual({ ok: true, rows: 25, first: 1, last: 25, signatures: 2, keys, findings: [] })
})

it("an empty record holds", async () => {
  expect(await verify(await record(0))).toMatchObject({ ok: true, rows: 0 })
})

it("a missing row is found, and so are several", async () => {
  const folder = await record(20)
  tamper(folder, "DELETE FROM row WHERE seq = 5 OR seq BETWEEN 8 AND 10")
  const result = await verify(folder)
  expect(result.findings).toEqual([
    { what: "missing", seq: 5, message: "row 5 is missing" },
    { what: "missing", seq: 8, message: "rows 8 to 10 are missing" },
  ])
})

it("rows that are missing at the start are found", async () => {
  const folder = await record(20)
  tamper(folder, "DELETE FROM row WHERE seq < 4")
  expect(told(await verify(folder))).toEqual(["missing 1"])
})

it("a changed row is found, be it one letter", async () => {
  const folder = await record(20)
  tamper(folder, `UPDATE row SET body = replace(body, 'f7.ts', 'f8.ts') WHERE seq = 7`)
  expect(told(await verify(folder))).toEqual(["changed 7"])
})

it("a row that was changed together with its hash no longer fits its neighbour", async () => {
  const folder = await record(20)
  const audit = await readAudit(folder)
  const rows: AuditRow[] = []
  for await (const row of audit.rows()) rows.push(row)
  await audit.close()
  const { seq, time, prev, hash: _, ...rest } = rows[6]!
  const forged = seal(membersOf({ ...rest, outcome: "continue", tool: "forged" }), seq, time, prev)
  tamper(folder, `UPDATE row SET body = '${forged.body}', hash = '${forged.hash}' WHERE seq = 7`)
  expect(told(await verify(folder))).toEqual(["unchained 8"])
})

it("a tail that was written anew, hashes and all, does not fit what was signed", async () => {
  const folder = await record(20)
  const audit = await readAudit(folder)
  let prev = ""
  for await (const row of audit.rows()) {
    if (row.seq >= 15) {
      const { seq, time, prev: before, hash: _, ...rest } = row
      const forged = seal(membersOf({ ...rest, tool: "forged" }), seq, time, prev || before)
      tamper(folder, `UPDATE row SET body = '${forged.body}', hash = '${forged.hash}' WHERE seq = ${seq}`)
      prev = forged.hash
    }
  }
  await audit.close()
  expect(told(await verify(folder))).toEqual(["signature 20", "signature 20"])
})

it("rows that changed places are found", async () => {
  const folder = await record(20)
  tamper(
    folder,
    "UPDATE row SET seq = 1000 WHERE seq = 4",
    "UPDATE row SET seq = 4 WHERE seq = 9",
    "UPDATE row SET seq = 9 WHERE seq = 1000",
  )
  expect(told(await verify(folder)).filter((one) => one.startsWith("moved"))).toEqual(["moved 4", "moved 9"])
})

it("a cut tail is found", async () => {
  const folder = await record(20)
  tamper(folder, "DELETE FROM row WHERE seq > 17")
  expect((await verify(folder)).findings).toContainEqual({
    what: "cut",
    seq: 18,
    message: "rows 18 to 20 are missing at the end, though signed for",
  })
})

it("a tail that was cut together with its signature is told by the one beside the file", async () => {
  const folder = await record(20)
  tamper(folder, "DELETE FROM row WHERE seq > 17", "DELETE FROM head")
  expect(told(await verify(folder))).toEqual(["cut 18", "unsigned 17"])
})

it("an older copy that was put back is told by the signature beside it, or by one that was kept elsewhere", async () => {
  const folder = await record(10)
  const copy = privateFolder()
  for (const name of ["audit.db", "audit.head"]) copyFileSync(join(folder, name), join(copy, name))
  const audit = await openAudit(folder)
  await audit.append(decision(11))
  const kept = (await audit.checkpoints()).at(-1)!
  await audit.close()
  copyFileSync(join(copy, "audit.db"), join(folder, "audit.db"))
  expect(told(await verify(folder))).toEqual(["cut 11"])
  copyFileSync(join(copy, "audit.head"), join(folder, "audit.head"))
  expect(told(await verify(folder))).toEqual([])
  expect(told(await verify(folder, { known: [kept] }))).toEqual(["cut 11"])
})

it("the log that SQLite keeps beside the file, lost with what it held, is found", async () => {
  const folder = privateFolder()
  const audit = await openAudit(folder)
  await audit.append(decision(1))
  await audit.append(decision(2))
  const copy = privateFolder()
  for (const name of ["audit.db", "audit.head", "audit.key"]) copyFileSync(join(folder, name), join(copy, name))
  await expect(verify(copy)).rejects.toThrow(/holds nothing/)
  await audit.close()
})

it("rows that another program appended without the key are found", async () => {
  const folder = await record(3)
  tamper(folder, `INSERT INTO row VALUES (4, '{"seq":4}', 'x')`)
  expect(told(await verify(folder))).toEqual(["changed 4", "unsigned 4"])
})

it("a forged signature is found, and a key that is not the record's", async () => {
  const folder = await record(3)
  tamper(folder, `UPDATE head SET body = replace(body, '"first":1', '"first":3')`)
  expect(told(await verify(folder))).toContain("signature 3")
  const other = await openAudit(privateFolder())
  const keys = [(await other.publicKey()) ?? ""]
  expect((await verify(await record(3), { keys })).findings[0]).toMatchObject({
    what: "signature",
    message: expect.stringMatching(/of a key that is not known/),
  })
})

it("what was lost stays visible, whatever is written after it", async () => {
  const folder = await record(20)
  tamper(folder, "DELETE FROM row WHERE seq > 17")
  const audit = await openAudit(folder)
  const { seq } = await audit.append(decision(21))
  await audit.close()
  expect(seq).toBe(22)
  const result = await verify(folder)
  expect(told(result)).toEqual(["missing 18", "recovered 21"])
  expect(result.findings[1]?.message).toBe(
    "row 21 says that the record was found cut: it was signed up to row 20 and ended with row 17",
  )
})

it("what was lost under a running process stays visible, though an older signature was put in", async () => {
  const folder = privateFolder()
  const audit = await openAudit(folder)
  await audit.append(decision(1))
  const old = JSON.stringify((await audit.checkpoints()).at(-1))
  await audit.append(decision(2))
  tamper(folder, "DELETE FROM row WHERE seq = 2", `UPDATE head SET body = '${old}'`)
  await audit.append(decision(3))
  await audit.close()
  expect(told(await verify(folder))).toEqual(["missing 2", "recovered 3"])
})

it("what nobody signed is not signed anew", async () => {
  const folder = privateFolder()
  const audit = await openAudit(folder)
  await audit.append(decision(1))
  await audit.append(decision(2))
  tamper(folder, "DELETE FROM row WHERE seq = 1", `UPDATE head SET body = replace(body, '"first":1', '"first":2')`)
  await expect(audit.append(decision(3))).rejects.toThrow(/the last signature of .* does not hold/)
  await audit.close()
  await expect(openAudit(folder)).rejects.toThrow(/was not signed by the key/)
})

it("a record whose key is gone is not signed with another", async () => {
  const folder = await record(2)
  rmSync(join(folder, "audit.key"))
  await expect(openAudit(folder)).rejects.toThrow(/was not signed by any key that is there/)
})

it("a signature beside the file that was torn counts for nothing", async () => {
  const folder = await record(5)
  const path = join(folder, "audit.head")
  writeFileSync(path, readFileSync(path, "utf8").slice(0, 80))
  expect(await verify(folder)).toMatchObject({ ok: true, signatures: 1 })
})

it("a file with torn pages is told, and up to where it could be read", async () => {
  const folder = await record(400)
  const path = join(folder, "audit.db")
  truncateSync(path, Math.floor(statSync(path).size / 2 / 4096) * 4096)
  const result = await verify(folder)
  expect(result.ok).toBe(false)
  expect(result.findings.map(({ what }) => what)).toEqual(["damaged"])
})
