import { readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { PolicyError } from "../../policy/findings.ts"
import { changeSetting, type Target } from "../../settings/change.ts"
import { discover } from "../../settings/discover.ts"
import { ownFolder } from "../../settings/folders.ts"
import type { SettingPath } from "../../settings/registry.ts"
import type { SettingReport } from "../../settings/report/report.ts"
import { trust } from "../../settings/trust.ts"
import { askDaemon } from "../client.ts"
import type { Call } from "../command.ts"
import { CommandError } from "../errors.ts"
import { document, formatOf } from "../format.ts"
import { oneLine } from "../text/plain.ts"
import { isOfDaemon, reportsFor } from "./source.ts"
import { shownValue, whereFrom } from "./text.ts"
import { pathOf, valueFrom } from "./value.ts"

/** Says one setting: in the user's policy file, in another that is named, or to the daemon; and shows what that changed. */
export async function run(call: Call): Promise<number> {
  const [name = "", ...words] = call.args
  const path = pathOf(name)
  const value = valueFrom(path, words)
  return isOfDaemon(call) ? inDaemon(call, path, value) : inFile(call, path, value)
}

async function inFile(call: Call, path: SettingPath, value: unknown): Promise<number> {
  const target = targetOf(call)
  const change = changed(target, path, value)
  // Who trusted the file as it was has said this change, too.
  if (target.trusted) trust(target.path, readFileSync(target.path), call.io.env)
  const [report] = await reportsFor(call, path)
  tell(call, { path, ...change, inForce: report!.value }, [
    `${path}: ${shownValue(change.before)} → ${shownValue(change.after)} in ${oneLine(change.file)}`,
    ...(isInForce(report!, change.after)
      ? []
      : [`in force here is ${shownValue(report!.value)} (${whereFrom(report!)})`]),
  ])
  return 0
}

/** Lists are put together of several layers: what is in force of them is told by `explain`. */
const isInForce = ({ value }: SettingReport, after: unknown): boolean => Array.isArray(after) || value === after

function changed(target: Target, path: SettingPath, value: unknown) {
  try {
    return changeSetting(target, path, value)
  } catch (cause) {
    if (cause instanceof PolicyError) throw cause
    const { code, message } = cause as NodeJS.ErrnoException
    throw new CommandError(`\`${target.path}\` cannot be changed: ${code ?? message}`)
  }
}

/** The file that is meant; `trusted` where its content was recorded as trusted. */
function targetOf({ given, io }: Call): Target & { readonly trusted: boolean } {
  const named = given.value("policy")
  if (named !== undefined) return { path: resolve(io.cwd, named), layer: "project", trusted: false }
  if (!given.on("project"))
    return { path: join(ownFolder("config", io.env), "policy.yaml"), layer: "user", trusted: false }
  const own = discover({ cwd: io.cwd, env: io.env }).find(({ layer }) => layer === "project")
  return own ?? { path: join(io.cwd, "detent.yaml"), layer: "project", trusted: false }
}

async function inDaemon(call: Call, path: SettingPath, value: unknown): Promise<number> {
  if (call.given.on("project") || call.given.value("policy") !== undefined)
    throw new CommandError("a setting is said to a file or to the daemon, and not to both")
  const answer = await askDaemon(call, { method: "PUT", path: `/v1/settings/${path}`, body: { value } })
  const report = answer as unknown as SettingReport & { readonly applied: boolean; readonly why?: string }
  tell(call, answer, [
    report.applied
      ? `${path}: ${shownValue(report.value)} (${whereFrom(report)}) until the daemon ends`
      : `${path} is not changed: ${oneLine(report.why ?? "")}`,
  ])
  return report.applied ? 0 : 1
}

function tell(call: Call, value: object, lines: readonly string[]): void {
  const { io } = call
  const format = formatOf(call)
  if (format === "json") io.out.line(document(value))
  else if (format === "ndjson") io.out.line(JSON.stringify(value))
  else for (const line of lines) io.out.line(line)
}
