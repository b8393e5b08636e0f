import type { Call } from "../command.ts"
import { queryOf } from "./query.ts"
import { withRecord } from "./record.ts"

/** Prints rows for whoever audits: one a line, and last what was signed of them. */
export async function run(call: Call): Promise<number> {
  const { given, io } = call
  let last = ""
  await withRecord(call, async (record) => {
    const write = (line: string): boolean => {
      io.out.line(line)
      last = line
      return !io.out.closed
    }
    await record.exported(queryOf(call), write, { anyway: given.on("anyway") })
  })
  if (!io.out.closed && !last.startsWith('{"checkpoint":')) {
    io.err.line(
      `detent: the export is not signed${given.on("anyway") ? " (`--anyway`)" : ": the record's key is not there"}`,
    )
  }
  return 0
}
