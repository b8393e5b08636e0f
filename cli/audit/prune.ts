import { openAudit, readAudit } from "../../store/audit/store.ts"
import type { Keep } from "../../store/ports.ts"
import type { Call } from "../command.ts"
import { CommandError } from "../errors.ts"
import { document, formatOf } from "../format.ts"
import { countOf, timeOf } from "./query.ts"
import { recordOf } from "./record.ts"

/** Takes the oldest rows out of the record; a signature says where it begins from here on. */
export async function run(call: Call): Promise<number> {
  const { given, io } = call
  const { folder, keepDays, keepRows } = await recordOf(call)
  const said = [given.value("before"), given.value("rows")].some((flag) => flag !== undefined)
  const before = timeOf("before", given.value("before") ?? (said || !keepDays ? undefined : `${keepDays}d`))
  const rows = countOf("rows", given.value("rows")) ?? (said ? undefined : keepRows)
  if (before === undefined && rows === undefined) {
    throw new CommandError(
      "nothing says what is to go",
      "`--before 90d`, `--rows N` for the newest that stay, or settings",
    )
  }
  const keep: Keep = {
    anyway: given.on("anyway"),
    ...(before === undefined ? {} : { since: before }),
    ...(rows === undefined ? {} : { rows }),
  }
  // To open a record for writing makes one where there is none.
  await (await readAudit(folder)).close()
  const record = await openAudit(folder)
  const pruned = await record.prune(keep).finally(() => record.close())
  const format = formatOf(call)
  if (format === "json") io.out.line(document(pruned))
  else if (format === "ndjson") io.out.line(JSON.stringify(pruned))
  else if (!pruned.checkpoint) io.out.line(io.out.paint("faint", "no row is to go"))
  else {
    const { first } = pruned.checkpoint
    io.out.line(
      `${pruned.rows} ${pruned.rows === 1 ? "row is" : "rows are"} gone; the record begins with row ${first} now, signed`,
    )
  }
  return 0
}
