import { COMBINING, combiningOf } from "../../policy/settings.ts"
import { FLAG_SETTINGS, flagOf, SETTINGS, type Setting, type SettingPath, variableOf } from "../../settings/registry.ts"
import type { Contribution, SettingReport } from "../../settings/report/report.ts"
import type { Call } from "../command.ts"
import { document, formatOf } from "../format.ts"
import type { Out } from "../io.ts"
import { oneLine } from "../text/plain.ts"
import { columns, wrap } from "../text/wrap.ts"
import { reportsFor } from "./source.ts"
import { shownValue, whereFrom } from "./text.ts"
import { pathOf } from "./value.ts"

/** Shows what every layer says of a setting, what is in force, and why. */
export async function run(call: Call): Promise<number> {
  const { args, io } = call
  const [report] = await reportsFor(call, pathOf(args[0] ?? ""))
  const told = { ...report!, combines: howOf(report!.path) }
  const format = formatOf(call)
  if (format === "json") io.out.line(document(told))
  else if (format === "ndjson") io.out.line(JSON.stringify(told))
  else io.out.line(page(report!, io.out))
  return 0
}

function howOf(path: SettingPath): string {
  const { clampedBy, ...row }: Setting = SETTINGS[path]
  const how = COMBINING[combiningOf(row)]
  return clampedBy === undefined ? how : `${how}, and \`${clampedBy}\` lowers it`
}

function page(report: SettingReport, { columns: width, paint }: Out): string {
  const { path, value, scope, hot, entries = [], contributions } = report
  const row: Setting = SETTINGS[path]
  const written = FLAG_SETTINGS.includes(path) ? `${flagOf(path)}, ${variableOf(path)}` : "a policy file alone"
  const facts: [string, string][] = [
    ["in force", `${shownValue(value)}  (${whereFrom(report)})`],
    ...entries.map((entry): [string, string] => ["", `${shownValue(entry.value)}  (${oneLine(entry.origin)})`]),
    ["how", howOf(path)],
    ["said by", written],
    ["scope", scope === "call" ? "call: a caller may say it for its own operation" : "daemon: not for callers to say"],
    ["a change", hot ? "counts while running" : "waits for a restart"],
  ]
  const defaults = row.default === undefined ? [] : [["default", shownValue(row.default)] as const]
  const layers = [...defaults, ...contributions.map((one) => [one.layer, layerText(one)] as const)]
  return [
    wrap(`${paint("strong", path)}: ${row.doc}`, width),
    columns(
      facts.map(([name, text]) => [paint("code", name), text]),
      width,
    ),
    "",
    paint("strong", layers.length === 0 ? "No layer says anything" : "Layers, the lowest first"),
    ...(layers.length === 0 ? [] : [columns(layers, width)]),
  ].join("\n")
}

const layerText = ({ value, origin, state, by }: Contribution): string =>
  oneLine(`${shownValue(value)}  (${origin}): ${state}${by === undefined ? "" : ` by ${by}`}`)
