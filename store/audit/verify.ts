import { type Sealed, sha256 } from "./chain.ts"
import type { Verifier } from "./keys.ts"
import { type AuditRow, type ChainEnd, type Checkpoint, GENESIS } from "./row.ts"

export interface VerifyOptions {
  /** public keys, PEM, that signatures may be of; default: the one beside the store */
  readonly keys?: readonly string[]
  /** checkpoints that were kept elsewhere: each must still be in the chain */
  readonly known?: readonly Checkpoint[]
}

/** What can be wrong with a record. */
export const FAULTS = Object.freeze({
  missing: "rows are not there",
  changed: "a row is not what its hash says",
  moved: "a row stands in another's place",
  unchained: "a row does not follow the one before it",
  cut: "rows at the end are not there, though they were signed for",
  unsigned: "rows that no signature covers",
  signature: "a signature that does not hold",
  recovered: "the record went on after it had been found cut",
  damaged: "the file itself cannot be read whole",
} as const)

export type AuditFault = keyof typeof FAULTS

/** One thing that is wrong with the record, and where. */
export interface AuditFinding {
  readonly what: AuditFault
  /** the row, or the first of several */
  readonly seq: number
  readonly message: string
}

export interface Verification {
  readonly ok: boolean
  readonly rows: number
  readonly first?: number
  readonly last?: number
  /** signatures that hold */
  readonly signatures: number
  /** whose they are: the ids of the keys */
  readonly keys: readonly string[]
  readonly findings: readonly AuditFinding[]
}

/** All that a record is checked by. */
export interface Evidence {
  readonly rows: Iterable<Sealed>
  readonly verifiers: readonly Verifier[]
  readonly checkpoints: readonly Checkpoint[]
  /** the newest signature, of a record that must have one; absent: it need not be signed to its end */
  readonly head?: Checkpoint | "missing"
  /** what the first row follows; absent: what the signatures say */
  readonly start?: ChainEnd
}

/** Goes through a record from its first row to its last and says all that is wrong, and where. */
export function verifyRecord({ rows, verifiers, checkpoints, head, start: given }: Evidence): Verification {
  const findings: AuditFinding[] = []
  const find = (what: AuditFault, seq: number, message: string): void => void findings.push({ what, seq, message })
  const all = head && head !== "missing" ? [...checkpoints, head] : checkpoints
  const signed = all.filter((one) => holds(one, verifiers, find))
  const start = given ?? startOf(signed)
  const atRow = groups(signed)
  let [expected, prev, count, first]: [number, string | undefined, number, number | undefined] = [
    start.seq + 1,
    start.hash,
    0,
    undefined,
  ]
  for (const row of rows) {
    const { seq } = row
    count++
    first ??= seq
    if (seq < expected) {
      find("moved", seq, `row ${seq} stands where row ${expected} should`)
      continue
    }
    if (seq > expected) find("missing", expected, `${span(expected, seq - 1)} missing`)
    const told = readRow(row)
    if (!told) find("changed", seq, `row ${seq} is not what was written: its hash does not fit it`)
    else {
      if (told.seq !== seq) find("moved", seq, `row ${seq} holds what was written as row ${told.seq}`)
      else if (seq === expected && prev !== undefined && told.prev !== prev) {
        find(
          "unchained",
          seq,
          `row ${seq} does not follow ${seq === start.seq + 1 ? "the start of the record" : `row ${seq - 1}`} as it is`,
        )
      }
      if (told.recovered) find("recovered", seq, recoveredText(seq, told.recovered))
    }
    for (const { hash, time } of atRow.get(seq) ?? []) {
      if (hash !== row.hash) find("signature", seq, `row ${seq} is not the one that was signed for at ${time}`)
    }
    expected = seq + 1
    prev = row.hash
  }
  tellEnd(expected - 1, head, signed, find)
  return {
    ok: findings.length === 0,
    rows: count,
    ...(first === undefined ? {} : { first, last: expected - 1 }),
    signatures: signed.length,
    keys: keysOf(signed),
    findings,
  }
}

export type Find = (what: AuditFault, seq: number, message: string) => void

export const keysOf = (signed: readonly Checkpoint[]): string[] => [...new Set(signed.map(({ key }) => key))]

export function holds(one: Checkpoint, verifiers: readonly Verifier[], find: Find): boolean {
  const verifier = verifiers.find(({ id }) => id === one.key)
  if (!verifier)
    find("signature", one.seq, `the signature up to row ${one.seq} is of a key that is not known: \`${one.key}\``)
  else if (verifier.checks(one)) return true
  else find("signature", one.seq, `the signature up to row ${one.seq} does not hold: what it is about was changed`)
  return false
}

/** What the first row must follow: the start of all, or where the last prune says. */
function startOf(signed: readonly Checkpoint[]): ChainEnd {
  let start: ChainEnd = { seq: 0, hash: GENESIS }
  for (const { why, first, from } of signed) {
    // An export begins where it was told to, and the record where it did before.
    if (why !== "export" && first - 1 > start.seq) start = { seq: first - 1, hash: from }
  }
  return start
}

function tellEnd(last: number, head: Evidence["head"], signed: readonly Checkpoint[], find: Find): void {
  const furthest = signed.reduce((most, { seq }) => Math.max(most, seq), 0)
  if (furthest > last) find("cut", last + 1, `${span(last + 1, furthest)} missing at the end, though signed for`)
  if (head === "missing" && last > 0) find("unsigned", last, "the signature of the record's end is missing")
  else if (head && head !== "missing" && head.seq < last) {
    find("unsigned", head.seq + 1, `${span(head.seq + 1, last)} not signed for: another program wrote there`)
  }
}

const span = (from: number, to: number): string => (from === to ? `row ${from} is` : `rows ${from} to ${to} are`)

const recoveredText = (seq: number, { expected, found }: NonNullable<AuditRow["recovered"]>): string =>
  `row ${seq} says that the record was found cut: it was signed up to row ${expected.seq} and ended with row ${found.seq}`

/** A row's content where its hash fits it; undefined where it does not. */
export function readRow({ body, hash }: Sealed): AuditRow | undefined {
  try {
    return sha256(body) === hash ? (JSON.parse(body) as AuditRow) : undefined
  } catch {
    return undefined
  }
}

function groups(signed: readonly Checkpoint[]): Map<number, Checkpoint[]> {
  const map = new Map<number, Checkpoint[]>()
  for (const one of signed) map.set(one.seq, [...(map.get(one.seq) ?? []), one])
  return map
}
