import { createHash } from "node:crypto"
import { canonicalJson, isObject, type JsonObject } from "../../effects/json.ts"
import type { Sealed } from "./chain.ts"
import type { AuditFile } from "./file.ts"
import type { Signer, Verifier } from "./keys.ts"
import { type AuditQuery, SELECTING } from "./query.ts"
import { type Checkpoint, type ExportSeal, GENESIS } from "./row.ts"
import { type AuditFinding, type Find, holds, keysOf, readRow, type Verification, verifyRecord } from "./verify.ts"

/**
 * The lines of an export: each row with its hash, the signatures that were kept on the way, and last a signature of all of it.
 * A selection has no signatures on the way: they are about rows that it does not hold.
 */
export function* exportLines(
  file: AuditFile,
  rows: Iterable<Sealed>,
  query: AuditQuery,
  signer: Signer | undefined,
): Generator<string> {
  const digest = createHash("sha256")
  let first: { readonly seq: number; readonly from: string } | undefined
  let last: Sealed | undefined
  let count = 0
  for (const row of rows) {
    const { seq, body, hash } = row
    first ??= { seq, from: readRow(row)?.prev ?? GENESIS }
    last = row
    count++
    digest.update(hash)
    yield `${body.slice(0, -1)},"hash":"${hash}"}`
  }
  const [from, to] = [first?.seq ?? 1, last?.seq ?? 0]
  if (!isSelection({ query: { ...query } })) {
    const within = file.checkpoints().filter(({ seq }) => seq >= from && seq <= to)
    for (const checkpoint of within) yield JSON.stringify({ checkpoint })
  }
  if (!signer) return
  const seal: ExportSeal = signer.sign({
    why: "export",
    time: new Date().toISOString(),
    seq: to,
    hash: last?.hash ?? GENESIS,
    first: from,
    from: first?.from ?? GENESIS,
    rows: count,
    digest: digest.digest("hex"),
    query: { ...query },
  })
  yield JSON.stringify({ checkpoint: seal })
}

/** The lines of an exported file, from the first one each time that they are asked for. */
export type ExportLines = () => Iterable<string>

const SIGNED = '{"checkpoint":'

/** The signatures of an exported file: also what another record, or a later export, must still agree with. */
export function checkpointsOf(lines: ExportLines): Checkpoint[] {
  const found: Checkpoint[] = []
  for (const line of lines()) {
    const one = line.startsWith(SIGNED) ? parsed(line)?.checkpoint : undefined
    if (isObject(one) && typeof one.signature === "string") found.push(one as unknown as Checkpoint)
  }
  return found
}

function parsed(line: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function* rowsOf(lines: ExportLines, find: Find): Generator<Sealed> {
  let [number, last] = [0, 0]
  for (const line of lines()) {
    number++
    if (line === "" || line.startsWith(SIGNED)) continue
    const { hash, ...rest } = parsed(line) ?? {}
    if (typeof hash === "string" && Number.isSafeInteger(rest.seq)) {
      last = rest.seq as number
      yield { seq: last, body: canonicalJson(rest), hash }
    } else find("damaged", last, `line ${number} is neither a row nor a signature`)
  }
}

const isSeal = (one: Checkpoint): one is ExportSeal => one.why === "export"

/** Whether rows between others were left out on purpose. The query is signed with the rest: nobody can make a gap a choice. */
const isSelection = ({ query }: Pick<ExportSeal, "query">): boolean =>
  SELECTING.some((name) => query[name] !== undefined)

/** Holds an exported file against its hashes and its signatures. */
export function verifyExport(
  lines: ExportLines,
  verifiers: readonly Verifier[],
  known: readonly Checkpoint[] = [],
): Verification {
  const strange: AuditFinding[] = []
  const rows = rowsOf(lines, (what, seq, message) => void strange.push({ what, seq, message }))
  const checkpoints = checkpointsOf(lines)
  const seal = checkpoints.findLast(isSeal)
  const others = [...checkpoints.filter((one) => one !== seal), ...known]
  const checked = !seal
    ? verifyUnsigned(rows, lines, verifiers, others)
    : isSelection(seal)
      ? verifySelection(rows, seal, verifiers)
      : verifyRecord({
          rows,
          verifiers,
          checkpoints: others,
          start: { seq: seal.first - 1, hash: seal.from },
          head: seal,
        })
  const findings = [...strange, ...checked.findings]
  return { ...checked, ok: findings.length === 0, findings }
}

/** An export that nobody signed is still a chain from its first row on. */
function verifyUnsigned(
  rows: Iterable<Sealed>,
  lines: ExportLines,
  verifiers: readonly Verifier[],
  checkpoints: readonly Checkpoint[],
): Verification {
  const [first] = rowsOf(lines, () => {})
  const start = first ? { seq: first.seq - 1, hash: readRow(first)?.prev ?? GENESIS } : { seq: 0, hash: GENESIS }
  const checked = verifyRecord({ rows, verifiers, checkpoints, start })
  const message = "the last line, which signs the export, is missing"
  return { ...checked, findings: [...checked.findings, { what: "unsigned", seq: checked.last ?? 0, message }] }
}

/** Rows between which others were left out: each is what its hash says, and together they are those that were signed for. */
function verifySelection(rows: Iterable<Sealed>, seal: ExportSeal, verifiers: readonly Verifier[]): Verification {
  const findings: AuditFinding[] = []
  const find: Find = (what, seq, message) => void findings.push({ what, seq, message })
  const signed = holds(seal, verifiers, find) ? [seal] : []
  const digest = createHash("sha256")
  let [count, first, last]: [number, number | undefined, number] = [0, undefined, 0]
  for (const row of rows) {
    digest.update(row.hash)
    count++
    first ??= row.seq
    last = row.seq
    if (readRow(row)?.seq !== row.seq) {
      find("changed", row.seq, `row ${row.seq} is not what was written: its hash does not fit it`)
    }
  }
  if (digest.digest("hex") !== seal.digest) {
    const message = `these are not the ${seal.rows} rows that were signed for: some are missing, added or moved`
    find("missing", seal.first, message)
  }
  return {
    ok: findings.length === 0,
    rows: count,
    ...(first === undefined ? {} : { first, last }),
    signatures: signed.length,
    keys: keysOf(signed),
    findings,
  }
}
