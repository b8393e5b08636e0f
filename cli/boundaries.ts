import { boundaryRows } from "../daemon/boundaries.ts"
import type { Call } from "./command.ts"
import { document, formatOf } from "./format.ts"
import { columns } from "./text/wrap.ts"

/** Lists every restriction: those that are enforced, and those that rest on somebody's word. */
export async function run(call: Call): Promise<number> {
  const { io } = call
  const rows = boundaryRows()
  const format = formatOf(call)
  if (format === "json") io.out.line(document({ boundaries: rows }))
  else if (format === "ndjson") for (const row of rows) io.out.line(JSON.stringify(row))
  else {
    const told = rows.map(({ id, state, doc }) => [io.out.paint("code", id), `${state}: ${doc}`] as const)
    io.out.line(columns(told, io.out.columns))
  }
  return 0
}
