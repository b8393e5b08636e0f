import { loadLayers } from "../../settings/load-layers.ts"
import type { SettingPath } from "../../settings/registry.ts"
import type { SettingReport } from "../../settings/report/report.ts"
import { settingReport, settingReports } from "../../settings/report/reports.ts"
import { askDaemon } from "../client.ts"
import type { Call } from "../command.ts"
import { CommandError } from "../errors.ts"

/** Whether the daemon is meant that runs, and not what would be in force here. */
export const isOfDaemon = ({ given }: Call): boolean => given.on("daemon") || given.value("socket") !== undefined

/** What is in force: of all settings, or of one; in this folder, or in the daemon. */
export async function reportsFor(call: Call, path?: SettingPath): Promise<readonly SettingReport[]> {
  const { given, io } = call
  if (isOfDaemon(call)) return ofDaemon(call, path)
  const policy = given.value("policy")
  const { notices, ...reported } = loadLayers({
    cwd: io.cwd,
    env: io.env,
    flags: given.settings,
    ...(policy === undefined ? {} : { policy }),
  })
  for (const notice of notices) io.err.line(`detent: ${notice}`)
  return path === undefined ? settingReports(reported) : [settingReport(path, reported)]
}

async function ofDaemon(call: Call, path: SettingPath | undefined): Promise<readonly SettingReport[]> {
  const own = [
    ...Object.keys(call.given.settings).map((name) => `\`${name}\``),
    ...(call.given.value("policy") ? ["`--policy`"] : []),
  ]
  if (own.length > 0) throw new CommandError(`${own.join(", ")} cannot be said to a daemon`, "its settings are its own")
  if (path !== undefined) return [(await askDaemon(call, { path: `/v1/settings/${path}` })) as unknown as SettingReport]
  const { settings } = await askDaemon(call, { path: "/v1/settings" })
  return settings as readonly SettingReport[]
}
