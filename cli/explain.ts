import { isHost } from "../dialects/hosts.ts"
import type { Level } from "../effects/levels.ts"
import { explain } from "../govern/explain.ts"
import { explainTable } from "../govern/table.ts"
import { callerOf, readCaller } from "./caller.ts"
import type { Call } from "./command.ts"
import { readEvent } from "./event.ts"
import { document, formatOf } from "./format.ts"
import type { Out } from "./io.ts"
import { policyOf } from "./policy.ts"
import { oneLine } from "./text/plain.ts"
import { wrap } from "./text/wrap.ts"

/** Shows at which level each hook is in force, and what decides it; with an event, also which hooks it concerns. */
export async function run(call: Call): Promise<number> {
  const { given, io } = call
  const { policy } = await policyOf(call)
  const source = given.value("event")
  const event = source === undefined ? undefined : readEvent(source, io)
  const caller = event ? callerOf(given.value("caller"), event) : readCaller(given.value("caller"))
  const host = given.value("host")
  const rows = explain(policy, {
    ...(caller ? { caller } : {}),
    ...(event ? { event } : {}),
    ...(host ? { host: isHost(host) ? { agent: host } : (host as Level) } : {}),
  })
  const format = formatOf(call)
  if (format === "json") io.out.line(document(rows))
  else if (format === "ndjson") for (const row of rows) io.out.line(JSON.stringify(row))
  else io.out.line(painted(explainTable(rows, io.out.columns), io.out))
  return 0
}

/** Headings are strong, and what stands below a hook is a remark. */
const painted = (table: string, { paint, columns }: Out): string =>
  table
    .split("\n")
    .map((line, at) => {
      const text = oneLine(line)
      return at === 0
        ? paint("strong", text)
        : line.startsWith("    ")
          ? paint("warning", `    ${wrap(text.trimStart(), columns - 4, "      ")}`)
          : text
    })
    .join("\n")
