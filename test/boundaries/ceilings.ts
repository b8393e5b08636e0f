import { EVENT, policy, rule } from "../cli/capture.ts"
import type { Send } from "../daemon/client.ts"
import { daemonWith, tokenIn } from "../daemon/world.ts"
import type { Attempts } from "./attempt.ts"

const FREEZE = { id: "freeze", if: { "==": [{ var: "caller.env" }, "prod"] }, max: "ask", reason: "change freeze" }

/** A caller of production, whose calls a hook would change. */
async function decided(bounded: boolean, event: object, more: Partial<Send> = {}): Promise<boolean> {
  const changes = rule("changes", { apply: { merge: { text: "changed" } } })
  const daemon = await daemonWith({ policy: policy([changes], bounded ? { ceilings: [FREEZE] } : {}) })
  const token = await tokenIn(daemon, "deployer", { env: "prod" })
  return (await daemon.decide({ ...EVENT, ...event }, { ...more, token })).body.input.text === "changed"
}

export const ceilings: Attempts<"ceilings"> = {
  body: (bounded) => decided(bounded, { caller: { id: "deployer", env: "dev" } }),
  header: (bounded) =>
    decided(
      bounded,
      {},
      { headers: { "x-detent-settings": JSON.stringify({ ceilings: [], "hooks.autonomy": "run" }) } },
    ),
}
