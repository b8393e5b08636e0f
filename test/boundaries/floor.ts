import { detent, EVENT, folderWith, policy, rule } from "../cli/capture.ts"
import type { Send } from "../daemon/client.ts"
import { daemonWith } from "../daemon/world.ts"
import type { Attempts } from "./attempt.ts"

const mandatory = (bounded: boolean): string =>
  policy([rule("must", { refuse: "not here" }, { effect: "ask", ...(bounded ? { floor: "ask" } : {}) })])

/** Decides on the command line below a user's policy, in a folder of other people's making. */
async function passes(bounded: boolean, words: readonly string[], env: Record<string, string> = {}): Promise<boolean> {
  const cwd = folderWith({
    "home/.config/detent/policy.yaml": mandatory(bounded),
    "none.json": policy([]),
    "e.json": EVENT,
  })
  return (await detent(["decide", "--event", "e.json", ...words], { cwd, env })).code === 0
}

async function told(bounded: boolean, more: Partial<Send>, put?: string): Promise<boolean> {
  const daemon = await daemonWith({ policy: mandatory(bounded) })
  if (put !== undefined) {
    for (const [path, value] of [
      ["hooks.autonomy", put],
      ["features.hooks", false],
    ] as const)
      await daemon.send({ method: "PUT", path: `/v1/settings/${path}`, body: { value } })
  }
  return (await daemon.decide(EVENT, more)).body.outcome === "continue"
}

export const floor: Attempts<"floor"> = {
  header: (bounded) => told(bounded, { headers: { "x-detent-settings": '{"hooks.autonomy":"off"}' } }),
  flags: (bounded) => passes(bounded, ["--hooks-autonomy", "off"]),
  "named policy": (bounded) => passes(bounded, ["--policy", "none.json"]),
  "kill switch": (bounded) => passes(bounded, [], { DETENT_DISABLE_HOOKS: "1" }),
  "settings PUT": (bounded) => told(bounded, {}, "off"),
}
