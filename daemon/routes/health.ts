import { VERSION } from "../../settings/version.ts"
import { type Asked, json } from "../asked.ts"
import type { Daemon } from "../daemon.ts"

/** Whether the daemon is there and, when that is asked, whether it takes work. */
export function health({ query }: Asked, daemon: Daemon): Response {
  const ready = !daemon.stopping && daemon.recorder.working
  const status = query.has("ready") && !ready ? 503 : 200
  return json({ status: daemon.stopping ? "stopping" : ready ? "ok" : "not written", ready, version: VERSION }, status)
}
