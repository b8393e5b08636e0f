import type { SettingReport } from "../../settings/report/report.ts"
import type { Call } from "../command.ts"
import { document, formatOf } from "../format.ts"
import { columns } from "../text/wrap.ts"
import { reportsFor } from "./source.ts"
import { shownValue, whereFrom } from "./text.ts"
import { pathOf } from "./value.ts"

/** Lists every setting with its value and where it is from, or one of them. */
export async function run(call: Call): Promise<number> {
  const { args, io } = call
  const [name] = args
  const reports = await reportsFor(call, name === undefined ? undefined : pathOf(name))
  const format = formatOf(call)
  if (format === "json") io.out.line(document(name === undefined ? reports.map(brief) : brief(reports[0]!)))
  else if (format === "ndjson") for (const report of reports) io.out.line(JSON.stringify(brief(report)))
  else
    io.out.line(
      columns(
        reports.map((report) => [io.out.paint("code", report.path), rowText(report)]),
        io.out.columns,
      ),
    )
  return 0
}

/** What each layer says is `explain`'s to tell. */
const brief = ({ contributions: _, ...report }: SettingReport): object => report

const rowText = (report: SettingReport): string => `${shownValue(report.value)}  (${whereFrom(report)})`
