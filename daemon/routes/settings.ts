import { isLevel, LEVEL_NAMES } from "../../effects/levels.ts"
import { nearest } from "../../policy/nearest.ts"
import { settingProblem } from "../../policy/setting-shapes.ts"
import { COMBINING, combiningOf, isFixed, SETTING_PATHS, SETTINGS, type SettingPath } from "../../policy/settings.ts"
import type { SettingReport } from "../../settings/report/report.ts"
import { settingReport, settingReports } from "../../settings/report/reports.ts"
import { type Asked, json } from "../asked.ts"
import type { Daemon } from "../daemon.ts"
import { Problem } from "../problem.ts"
import type { PutBody } from "../put-body.ts"

/** Every setting that is in force, with the layer and the place that it is from. */
export const settings = (_: Asked, { standing }: Daemon): Response => json({ settings: settingReports(standing) })

/** One setting. */
export const setting = ({ params }: Asked, { standing }: Daemon): Response =>
  json(settingReport(pathIn(params), standing))

/** Says a setting to the running daemon; what only a file may say, and what waits for a restart, stays as it is. */
export async function putSetting({ params, body, caller }: Asked<PutBody>, daemon: Daemon): Promise<Response> {
  const path = pathIn(params)
  if (isFixed(path)) {
    throw new Problem("read-only", `\`${path}\` can only be read here`, {
      hint: "it stands in a policy file, which is read again when it changes",
    })
  }
  check(path, body.value)
  if (!SETTINGS[path].hot) {
    const why = `\`${path}\` waits for a restart: say it in a policy file, or at the daemon's start`
    return json({ ...settingReport(path, daemon.standing), applied: false, restartRequired: true, why })
  }
  const said = {
    caller: { id: caller.id },
    on: "settings",
    outcome: "continue",
    input: { path, value: body.value },
  } as const
  if (!(await daemon.recorder.allows(said))) {
    throw new Problem("not-written", "the change could not be written to the audit record, and was not made")
  }
  await daemon.put(path, body.value)
  const report = settingReport(path, daemon.standing)
  const { value, requested, clampedBy } = report
  daemon.publish("settings.changed", {
    path,
    value,
    ...(requested === undefined ? {} : { requested, clampedBy }),
    caller: { id: caller.id },
  })
  return json({ ...report, ...outcomeOf(report) })
}

/** Whether what was said is what counts; a lower layer may have said what no other takes back. */
function outcomeOf({ path, layer, origin, value }: SettingReport): object {
  if (layer === "put") return { applied: true }
  return { applied: false, why: `${origin} says ${String(value)}, and ${COMBINING[combiningOf(SETTINGS[path])]}` }
}

function pathIn({ path: name = "" }: Asked["params"]): SettingPath {
  const path = SETTING_PATHS.find((known) => known === name)
  if (path !== undefined) return path
  const near = nearest(name, SETTING_PATHS)
  throw new Problem("not-found", `there is no setting \`${name}\``, {
    ...(near === undefined ? {} : { hint: `did you mean \`${near}\`?` }),
  })
}

function check(path: SettingPath, value: unknown): void {
  if (SETTINGS[path].kind === "level") {
    if (isLevel(value)) return
    throw new Problem("bad-request", `unknown level \`${String(value)}\` for \`${path}\``, {
      hint: `the levels are ${LEVEL_NAMES.join(", ")}`,
    })
  }
  const problem = settingProblem(path, value)
  if (problem !== undefined) throw new Problem("bad-request", `\`${path}\` ${problem}`)
}
