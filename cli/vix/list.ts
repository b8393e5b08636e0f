import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { FolderHook } from "../../actions/vix/folder.ts"
import { showDuration } from "../../dialects/vix/duration.ts"
import { isObject, parseJson } from "../../effects/json.ts"
import type { Call } from "../command.ts"
import { document, formatOf } from "../format.ts"
import type { Io } from "../io.ts"
import { oneLine } from "../text/plain.ts"
import { openFolder } from "./folder.ts"

/** Lists the hooks of the folder; those that are skipped are named on stderr. Exit 1 where there are any. */
export async function run(call: Call): Promise<number> {
  const { io } = call
  const { hooks, problems, dir } = await openFolder(call)
  const rows = hooks.map(rowOf)
  const format = formatOf(call)
  if (format === "json") io.out.line(document(rows))
  else if (format === "ndjson") for (const row of rows) io.out.line(JSON.stringify(row))
  else if (rows.length === 0) io.out.line(io.out.paint("faint", `no hooks of \`${dir}\` are in force`))
  else for (const row of rows) io.out.line(rowText(row, io))
  return problems.length === 0 ? 0 : 1
}

const rowOf = ({ id, enabled, event, matcher, mode, blocking, action, timeoutMs, folder }: FolderHook) => ({
  id,
  event,
  matcher,
  mode,
  blocking,
  action: action.kind,
  timeout: showDuration(timeoutMs),
  enabled,
  ...lastOf(folder),
})

/** How it went the last time, as its own `state.json` says. */
function lastOf(folder: string): { lastFiredAt?: string; lastStatus?: string; lastError?: string } {
  try {
    const state = parseJson(readFileSync(join(folder, "state.json"), "utf8"))
    if (!isObject(state)) return {}
    const { last_fired_at: at, last_status: status, last_error: error } = state
    return {
      ...(typeof at === "string" ? { lastFiredAt: at } : {}),
      ...(typeof status === "string" ? { lastStatus: status } : {}),
      ...(typeof error === "string" && error !== "" ? { lastError: error } : {}),
    }
  } catch {
    return {}
  }
}

function rowText(row: ReturnType<typeof rowOf>, { out }: Io): string {
  const { id, event, matcher, mode, blocking, action, timeout, enabled, lastFiredAt, lastStatus, lastError } = row
  const marks = [
    `${event}${matcher === "" ? "" : ` ${matcher}`}`,
    mode,
    ...(blocking ? ["blocking"] : []),
    action,
    timeout,
  ]
  const state = enabled ? out.paint("good", "in force") : out.paint("bad", "switched off")
  const error = lastError === undefined ? "" : `: ${lastError}`
  const last = lastFiredAt === undefined ? "never fired" : `last ${lastStatus} at ${lastFiredAt}${error}`
  return oneLine(`${out.paint("strong", id)} [${marks.join(", ")}] ${state}; ${last}`)
}
