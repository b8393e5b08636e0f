import { resolve } from "node:path"
import type { JsonObject } from "../effects/json.ts"
import { DaemonCeilings } from "../engine/daemon.ts"
import type { Policy } from "../policy/policy.ts"
import type { SourceChoice } from "./sources.ts"

/** The lines of `script.<phase>`, and the levels that those of configuration and environment must reach. */
export function sourcesOf(
  policy: Policy,
  caller: JsonObject,
  script: JsonObject & { readonly cwd: string },
): SourceChoice {
  const { file, cwd } = script
  const place = typeof file === "string" ? { file: resolve(cwd, file) } : {}
  const event = { ...script, ...place, on: "script", phase: "before", caller }
  const daemon = new DaemonCeilings(policy, [])
  const { level, source } = daemon.lower(daemon.base, event)
  const { id, reason, origin } = source
  const named = { ...(id === undefined ? {} : { id }), ...(reason === undefined ? {} : { reason }) }
  return {
    lines: policy.script,
    ...(policy.hooksAutonomy ? { caller: policy.hooksAutonomy } : {}),
    daemon: [{ value: level, origin: { layer: "default", source: origin }, ...named }],
  }
}
