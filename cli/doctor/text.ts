import type { Out } from "../io.ts"
import { oneLine } from "../text/plain.ts"
import type { Report } from "./report.ts"

/** A report for people: what was found on one line, and below it what is wrong. */
export function reportText({ agent, found, files, gaps, live }: Report, { paint }: Out): string {
  const open = gaps.some(({ kind }) => kind === "open")
  const what = found ? `${found.program}${found.version ? ` ${found.version}` : ""}` : "no program was found"
  const told = gaps.map(({ kind, message, file, line }) => {
    const place = file === undefined ? "" : ` (${file}${line === undefined ? "" : `:${line}`})`
    return `  ${paint(kind === "open" ? "bad" : "warning", kind)}  ${oneLine(message)}${oneLine(place)}`
  })
  return [
    `${paint(open ? "bad" : "good", agent)}: ${oneLine(what)}`,
    ...files.map((file) => `  in ${oneLine(file)}`),
    ...told,
    ...(live?.refused ? [`  ${paint("good", "live")}  ${live.event}: a call was refused, ${oneLine(live.how)}`] : []),
  ].join("\n")
}
