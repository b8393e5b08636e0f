import type { AuditRow } from "../../store/audit/row.ts"
import type { Call } from "../command.ts"
import { document, formatOf } from "../format.ts"
import { rowLine } from "../text/audit.ts"
import { queryOf } from "./query.ts"
import { withRecord } from "./record.ts"

/** Rows of a text where nobody says how many. */
const SHOWN = 50

/** Lists the decisions that are asked for, the oldest of them first. */
export async function run(call: Call): Promise<number> {
  const { io } = call
  const query = queryOf(call)
  const format = formatOf(call)
  return withRecord(call, async (record) => {
    if (format === "ndjson") {
      for await (const row of record.rows(query)) {
        if (io.out.closed) break
        io.out.line(JSON.stringify(row))
      }
      return 0
    }
    const limited = format === "text" && query.last === undefined
    const rows: AuditRow[] = []
    for await (const row of record.rows(limited ? { ...query, last: SHOWN + 1 } : query)) rows.push(row)
    if (format === "json") io.out.line(document(rows))
    else printText(call, rows, limited)
    return 0
  })
}

function printText({ io }: Call, rows: readonly AuditRow[], limited: boolean): void {
  const more = limited && rows.length > SHOWN
  if (rows.length === 0) io.out.line(io.out.paint("faint", "no such decision is recorded"))
  for (const row of more ? rows.slice(1) : rows) io.out.line(rowLine(row, io.out))
  if (more) io.err.line(`detent: these are the newest ${SHOWN}; there are more (\`--last N\`, \`--since TIME\`)`)
}
