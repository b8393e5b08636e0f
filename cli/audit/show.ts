import type { AuditRow } from "../../store/audit/row.ts"
import type { AuditReader } from "../../store/ports.ts"
import type { Call } from "../command.ts"
import { CommandError } from "../errors.ts"
import { document, formatOf } from "../format.ts"
import { rowText } from "../text/audit.ts"
import { withRecord } from "./record.ts"

/** Shows all that is recorded of single decisions. */
export async function run(call: Call): Promise<number> {
  const { args, io } = call
  const numbers = args.map(numberOf)
  const rows = await withRecord(call, async (record) => {
    const found: AuditRow[] = []
    for (const seq of numbers) found.push(await rowOf(record, seq))
    return found
  })
  const format = formatOf(call)
  if (format === "json") io.out.line(document(rows))
  else if (format === "ndjson") for (const row of rows) io.out.line(JSON.stringify(row))
  else io.out.line(rows.map((row) => rowText(row, io.out)).join("\n\n"))
  return 0
}

function numberOf(text: string): number {
  const seq = Number(text)
  if (/^[1-9]\d*$/.test(text) && Number.isSafeInteger(seq)) return seq
  throw new CommandError(`\`${text}\` is no number of a row`, "`detent audit list` has them in front")
}

async function rowOf(record: AuditReader, seq: number): Promise<AuditRow> {
  for await (const row of record.rows({ after: seq - 1 })) {
    if (row.seq === seq) return row
    break
  }
  throw new CommandError(`there is no row ${seq} in the record`, "`detent audit list` lists those that there are")
}
