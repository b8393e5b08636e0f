import { isListPath, isScalarPath } from "../../policy/said.ts"
import { SETTING_PATHS, SETTINGS, type Setting, type SettingPath } from "../registry.ts"
import { listReport } from "./lists.ts"
import { namedReport } from "./named.ts"
import type { InForce, Reported, SettingReport } from "./report.ts"
import { autonomyReport, ceilingReport, scalarReport } from "./values.ts"

/** Every setting, in the order of the table. */
export const settingReports = (reported: Reported): SettingReport[] =>
  SETTING_PATHS.map((path) => settingReport(path, reported))

/** What is in force of one setting, and why. */
export function settingReport(path: SettingPath, reported: Reported): SettingReport {
  const { kind, scope, hot } = SETTINGS[path] as Setting
  return { path, kind, scope, hot, ...inForce(path, reported) }
}

function inForce(path: SettingPath, reported: Reported): InForce {
  if (path === "autonomy.max") return ceilingReport(reported)
  if (path === "hooks.autonomy") return autonomyReport(reported)
  if (isScalarPath(path)) return scalarReport(path, reported)
  const isList = path.startsWith("script.") || path === "hooks" || path === "ceilings" || isListPath(path)
  return isList ? listReport(path, reported) : namedReport(path, reported)
}
