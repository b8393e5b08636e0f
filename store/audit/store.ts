import { join } from "node:path"
import { isDamage, StoreError, storeError } from "../errors.ts"
import type { AuditReader, AuditStore } from "../ports.ts"
import { type Sealed, unseal } from "./chain.ts"
import { exportLines } from "./export.ts"
import { AuditFile, KEY_FILE } from "./file.ts"
import { readVerifier, type Signer, signerOf } from "./keys.ts"
import { pruneRecord } from "./prune.ts"
import { type AuditQuery, isWanted } from "./query.ts"
import { redactor } from "./redact.ts"
import { type Verification, type VerifyOptions, verifyRecord } from "./verify.ts"
import { AuditWriter } from "./writer.ts"

export interface AuditOptions {
  /** paths of fields that are never stored: `input.password`, `frames.*.original` */
  readonly redact?: readonly string[]
  /** milliseconds for which a write waits for another process's; default 5000 */
  readonly lockMs?: number
}

/**
 * The record of decisions in a folder, to be written: `audit.db`, its key and its newest signature are made on first use.
 *
 * @throws StoreError where the folder or a file is not this user's alone, or the key is not the record's.
 */
export async function openAudit(folder: string, { redact = [], lockMs }: AuditOptions = {}): Promise<AuditStore> {
  const file = await AuditFile.open(folder, true, lockMs)
  try {
    const signer = signerFor(folder, file)
    const writer = new AuditWriter(file, signer, redactor(redact))
    return {
      ...reader(file, folder),
      append: (decision) => writer.append(decision),
      prune: (keep) => pruneRecord(file, signer, keep, () => verifyFile(file, {}, () => signer)),
      async close() {
        await writer.settled()
        file.close()
      },
    }
  } catch (cause) {
    file.close()
    throw cause
  }
}

/** The record of decisions in a folder, to be read alone. @throws StoreError where there is none */
export async function readAudit(folder: string): Promise<AuditReader> {
  return reader(await AuditFile.open(folder, false), folder)
}

/** A new key would make everything that the old one signed worthless: it is made for a new record alone. */
function signerFor(folder: string, file: AuditFile): Signer {
  const path = join(folder, KEY_FILE)
  const head = file.head()
  const signer = signerOf(path, head === undefined)
  if (signer && (!head || (head.key === signer.id && signer.checks(head)))) return signer
  throw new StoreError(
    `the record in \`${folder}\` was not signed by ${signer ? `the key \`${path}\`` : "any key that is there"}`,
    `restore ${KEY_FILE}, or move the whole folder away to begin a new record`,
  )
}

const PAGE = 500

function reader(file: AuditFile, folder: string): AuditReader {
  const signer = () => signerOf(join(folder, KEY_FILE), false)
  return {
    async *rows(query: AuditQuery = {}) {
      try {
        for (const sealed of sealedRows(file, query)) yield unseal(sealed)
      } catch (cause) {
        throw storeError(file.db.path, cause)
      }
    },
    async checkpoints() {
      return file.db.snapshot(() => [...file.checkpoints(), ...[file.head() ?? []].flat()])
    },
    async exported(query, write, { anyway = false } = {}) {
      if (!anyway && !verifyFile(file, {}, signer).ok) {
        throw new StoreError(
          "the record does not hold, and an export of it would be signed",
          "`detent audit verify` says where",
        )
      }
      file.db.snapshot(() => {
        const key = anyway ? undefined : signer()
        for (const line of exportLines(file, sealedRows(file, query), query, key)) if (!write(line)) break
      })
    },
    async publicKey() {
      return signer()?.pem
    },
    async verify(options = {}) {
      return verifyFile(file, options, signer)
    },
    async close() {
      file.close()
    },
  }
}

const sealedRows = (file: AuditFile, query: AuditQuery): Iterable<Sealed> =>
  query.last === undefined ? rowsAfter(file, query) : lastRows(file, query, query.last)

function* rowsAfter(file: AuditFile, query: AuditQuery): Generator<Sealed> {
  let after = query.after ?? 0
  for (let page = file.after(after, PAGE); page.length > 0; page = file.after(after, PAGE)) {
    for (const sealed of page) {
      if (isWanted(sealed, query)) yield sealed
      after = sealed.seq
    }
  }
}

function lastRows(file: AuditFile, query: AuditQuery, last: number): Sealed[] {
  const found: Sealed[] = []
  let before = Number.MAX_SAFE_INTEGER
  for (let page = file.before(before, PAGE); page.length > 0; page = file.before(before, PAGE)) {
    for (const sealed of page) {
      before = sealed.seq
      if (found.length === last || before <= (query.after ?? 0)) return found.reverse()
      if (isWanted(sealed, query)) found.push(sealed)
    }
  }
  return found.reverse()
}

function verifyFile(file: AuditFile, options: VerifyOptions, signer: () => Signer | undefined): Verification {
  const own = options.keys ? [] : [signer()].flatMap((one) => one ?? [])
  const verifiers = [...own, ...(options.keys ?? []).map((pem) => readVerifier(pem, "the key"))]
  const beside = file.headBeside()
  // What is beside the file may be torn by a power cut; it counts where it is whole.
  const whole = beside && verifiers.some((one) => one.id === beside.key && one.checks(beside)) ? [beside] : []
  let last = 0
  const rows = function* () {
    for (const row of allRows(file)) {
      yield row
      last = row.seq
    }
  }
  try {
    return file.db.snapshot(() =>
      verifyRecord({
        rows: rows(),
        verifiers,
        checkpoints: [...file.checkpoints(), ...whole, ...(options.known ?? [])],
        head: file.head() ?? "missing",
      }),
    )
  } catch (cause) {
    if (!isDamage((cause as Error).cause)) throw cause
    const message = `the file is damaged and cannot be read after row ${last}: ${((cause as Error).cause as Error).message}`
    return { ok: false, rows: last, signatures: 0, keys: [], findings: [{ what: "damaged", seq: last + 1, message }] }
  }
}

function* allRows(file: AuditFile) {
  let after = Number.MIN_SAFE_INTEGER
  for (let page = file.after(after, PAGE); page.length > 0; page = file.after(after, PAGE)) {
    yield* page
    after = page.at(-1)!.seq
  }
}
