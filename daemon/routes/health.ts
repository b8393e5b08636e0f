import { VERSION } from "../../settings/version.ts"
import { type Asked, json } from "../asked.ts"
import type { Daemon } from "../daemon.ts"

/** Whether the daemon is there and, when that is asked, whether it takes work. */
export function health({ query }: Asked, daemon: Daemon): Response {
  const { working, required } = daemon.recorder
  const ready = !daemon.stopping && (working || !required)
  const status = query.has("ready") && !ready ? 503 : 200
  // Why, with what stands in the files, is for those who may read: /v1/settings/hooks and the log say it.
  const policy = daemon.stale === undefined ? "in force" : "bad: the last good one is in force"
  const state = daemon.stopping ? "stopping" : ready ? "ok" : "not written"
  const audit = working ? "written" : required ? "not written: decisions are refused" : "not written: decisions go on"
  return json({ status: state, ready, policy, audit, version: VERSION }, status)
}
