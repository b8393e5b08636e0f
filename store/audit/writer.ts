import { StoreError } from "../errors.ts"
import type { Receipt } from "../ports.ts"
import { type Members, membersOf, type Sealed, seal } from "./chain.ts"
import type { AuditFile } from "./file.ts"
import type { Signer } from "./keys.ts"
import type { Redact } from "./redact.ts"
import { type ChainEnd, type Checkpoint, type CheckpointBody, type Decision, GENESIS } from "./row.ts"

interface Waiting {
  readonly members: Members
  resolve(receipt: Receipt): void
  reject(cause: unknown): void
}

/** Rows of one transaction at most: whoever comes next does not wait for more. */
const BATCH = 1000

/** Rows after which a signature is kept for good. */
const INTERVAL = 1000

const notSigned = (path: string): StoreError =>
  new StoreError(
    `the last signature of \`${path}\` does not hold`,
    "`detent audit verify` says where; move the folder away to begin a new record",
  )

/** Writes all decisions that wait in one transaction, with one signature, and only then says so to each. */
export class AuditWriter {
  readonly #file: AuditFile
  readonly #signer: Signer
  readonly #redact: Redact
  #waiting: Waiting[] = []
  #flushing: Promise<void> | undefined
  /** what we ourselves wrote last of all, as text */
  #last = ""
  #furthest: Checkpoint | null | undefined

  constructor(file: AuditFile, signer: Signer, redact: Redact) {
    this.#file = file
    this.#signer = signer
    this.#redact = redact
  }

  append(decision: Decision): Promise<Receipt> {
    return new Promise((resolve, reject) => {
      // A decision that is no JSON rejects here, alone, and holds up no other.
      this.#waiting.push({ members: membersOf(this.#redact(decision)), resolve, reject })
      this.#flushing ??= this.#flush()
    })
  }

  /** Resolves when nothing waits any more. */
  async settled(): Promise<void> {
    while (this.#flushing) await this.#flushing
  }

  async #flush(): Promise<void> {
    while (this.#waiting.length > 0) {
      // All that decide in this turn of the event loop share a transaction.
      await new Promise<void>((resolve) => setImmediate(resolve))
      const batch = this.#waiting.splice(0, BATCH)
      try {
        const { sealed, head } = await this.#file.db.write(() => this.#write(batch))
        this.#file.setHeadBeside(head)
        for (const [at, { resolve }] of batch.entries()) resolve({ seq: sealed[at]!.seq, hash: sealed[at]!.hash })
      } catch (cause) {
        for (const { reject } of batch) reject(cause)
      }
    }
    this.#flushing = undefined
  }

  #write(batch: readonly Waiting[]): { readonly sealed: readonly Sealed[]; readonly head: Checkpoint } {
    const file = this.#file
    const time = new Date().toISOString()
    const before = this.#trusted(file.head())
    let end = this.#end(time, before)
    const began = end.seq
    const sealed = batch.map(({ members }) => {
      const row = seal(members, end.seq + 1, time, end.hash)
      file.insert(row)
      end = row
      return row
    })
    const about: Omit<CheckpointBody, "key" | "why"> = {
      time,
      seq: end.seq,
      hash: end.hash,
      first: before?.first ?? 1,
      from: before?.from ?? GENESIS,
    }
    if (Math.floor(end.seq / INTERVAL) > Math.floor(began / INTERVAL)) {
      file.addCheckpoint(this.#signer.sign({ why: "interval", ...about }))
    }
    const head = this.#signer.sign({ why: "head", ...about })
    file.setHead(head)
    this.#last = JSON.stringify(head)
    this.#furthest = head
    return { sealed, head }
  }

  /** A signature that is not our own last one is another process's, or nobody's: what nobody signed is not signed anew. */
  #trusted(head: Checkpoint | undefined): Checkpoint | undefined {
    if (head && JSON.stringify(head) !== this.#last && !this.#signer.checks(head)) throw notSigned(this.#file.db.path)
    return head
  }

  /**
   * Where the chain goes on. Where the record does not end as it was last signed, a row that says so comes first.
   *
   * INVARIANT: what was lost stays visible, whatever is written after it (test/store/verify.test.ts).
   */
  #end(time: string, head: Checkpoint | undefined): ChainEnd {
    const start: ChainEnd = head ? { seq: head.first - 1, hash: head.from } : { seq: 0, hash: GENESIS }
    const found: ChainEnd = this.#file.before(Number.MAX_SAFE_INTEGER, 1)[0] ?? start
    const expected = this.#expected(head) ?? start
    if (found.seq === expected.seq && found.hash === expected.hash) return found
    const last = found.seq > expected.seq ? found : expected
    const plain = ({ seq, hash }: ChainEnd): ChainEnd => ({ seq, hash })
    const marker = membersOf({ recovered: { expected: plain(expected), found: plain(found) } })
    const row = seal(marker, last.seq + 1, time, last.hash)
    this.#file.insert(row)
    return row
  }

  /** The furthest end that our key has signed: in the file, beside it, or by this process before the file was put back. */
  #expected(head: Checkpoint | undefined): ChainEnd | undefined {
    if (this.#furthest === undefined) {
      const beside = this.#file.headBeside()
      this.#furthest = beside && beside.key === this.#signer.id && this.#signer.checks(beside) ? beside : null
    }
    return this.#furthest && this.#furthest.seq > (head?.seq ?? 0) ? this.#furthest : head
  }
}
