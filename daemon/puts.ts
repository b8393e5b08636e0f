import type { JsonObject } from "../effects/json.ts"
import { isLevel } from "../effects/levels.ts"
import type { Policy } from "../policy/policy.ts"
import { saidIn } from "../policy/said.ts"
import type { SettingPath } from "../policy/settings.ts"
import { overlaid } from "../settings/layers.ts"
import { NOTHING } from "../settings/nothing.ts"
import type { Reported } from "../settings/report/report.ts"

/** What administrators have said to a running daemon: the highest layer, which ends with it. */
export class Puts {
  #said: JsonObject = {}

  /** Says a setting; the answer takes that back. */
  say(path: SettingPath, value: unknown): () => void {
    const before = this.#said
    this.#said = { ...before, [path]: value }
    return () => {
      this.#said = before
    }
  }

  /**
   * A policy with what was said over it.
   *
   * INVARIANT: nothing said here raises `autonomy.max` or takes a hook away (test/daemon/settings.test.ts).
   */
  over<Any extends Reported>(loaded: Any): Any {
    if (Object.keys(this.#said).length === 0) return loaded
    const put = policyOf(this.#said)
    const layers = [...loaded.layers, { layer: "put" as const, trusted: true, policy: put }]
    return { ...loaded, policy: overlaid(loaded.policy, put), layers }
  }
}

function policyOf(said: JsonObject): Policy {
  const autonomy = said["hooks.autonomy"]
  const originOf = (path: readonly unknown[]) => ({ layer: "put", source: `PUT /v1/settings/${path[0]}` }) as const
  return {
    ...NOTHING,
    ...saidIn(said, originOf),
    ...(isLevel(autonomy) ? { hooksAutonomy: { value: autonomy, origin: originOf(["hooks.autonomy"]) } } : {}),
  }
}
