import { StoreError } from "../errors.ts"
import type { Keep, Pruned } from "../ports.ts"
import { unseal } from "./chain.ts"
import type { AuditFile } from "./file.ts"
import type { Signer } from "./keys.ts"
import type { Checkpoint } from "./row.ts"
import { type Verification, verifyRecord } from "./verify.ts"

const PAGE = 500

/**
 * Takes the oldest rows out. What goes is checked before: a record that does not hold would lose the proof of it.
 *
 * @throws StoreError where it does not hold, unless that is taken into account.
 */
export async function pruneRecord(
  file: AuditFile,
  signer: Signer,
  { since, rows, anyway = false, atMost }: Keep,
  verify: () => Verification,
): Promise<Pruned> {
  const before = since === undefined ? undefined : Date.parse(since)
  if (Number.isNaN(before)) throw new StoreError(`\`${since}\` is no time`, "write it as ISO 8601")
  if (rows !== undefined && !(Number.isSafeInteger(rows) && rows >= 0)) {
    throw new StoreError(`\`${rows}\` is no number of rows`, "write a whole number, 0 or more")
  }
  if (!anyway && atMost === undefined && !verify().ok) throw broken()
  const pruned = await file.db.write((): Pruned => {
    const head = file.head()
    if (!head) return { rows: 0 }
    const limit = Math.min(head.seq + 1, head.first + (atMost ?? head.seq))
    const keptRows = rows === undefined ? 0 : head.seq - rows + 1
    const first = Math.min(limit, Math.max(firstSince(file, before, limit - 1), keptRows))
    const last = file.before(first, 1)[0]
    if (!last) return { rows: 0 }
    if (atMost !== undefined && !anyway && !holdsUpTo(file, signer, head, first)) throw broken()
    const about = { time: new Date().toISOString(), seq: head.seq, hash: head.hash, first, from: last.hash }
    const checkpoint = signer.sign({ why: "prune", ...about })
    const gone = file.dropBefore(first)
    file.addCheckpoint(checkpoint)
    file.setHead(signer.sign({ why: "head", ...about }))
    return { rows: gone, checkpoint }
  })
  if (pruned.rows > 0) {
    file.setHeadBeside(file.head()!)
    file.forget()
  }
  return pruned
}

const broken = (): StoreError =>
  new StoreError(
    "the record does not hold, and pruning it would take the proof away",
    "`detent audit verify` says where",
  )

/** Whether the rows before `first` follow each other from where the record begins. */
function holdsUpTo(file: AuditFile, signer: Signer, head: Checkpoint, first: number): boolean {
  const rows = function* () {
    for (let after = head.first - 1; ; ) {
      const page = file.after(after, PAGE).filter(({ seq }) => seq < first)
      if (page.length === 0) return
      yield* page
      after = page.at(-1)!.seq
    }
  }
  const start = { seq: head.first - 1, hash: head.from }
  const { ok, last } = verifyRecord({ rows: rows(), verifiers: [signer], checkpoints: [], start })
  return ok && last === first - 1
}

/** The first row that is not older, up to `last`: rows stand in the order in which they were written. */
function firstSince(file: AuditFile, before: number | undefined, last: number): number {
  if (before === undefined) return 0
  let after = 0
  for (let page = file.after(after, 1); page.length > 0; page = file.after(after, PAGE)) {
    for (const sealed of page) {
      if (sealed.seq > last) return last + 1
      if (Date.parse(unseal(sealed).time) >= before) return sealed.seq
      after = sealed.seq
    }
  }
  return last + 1
}
