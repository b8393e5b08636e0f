import { policy, rule } from "../cli/capture.ts"
import { daemonWith } from "../daemon/world.ts"
import type { Attempts } from "./attempt.ts"

const REFUSES = rule("must", { refuse: "no scripts" }, { on: "script" })

/** Runs a script with what the call brings along, below what the operator has. */
async function exec(operator: object, hooks: readonly object[], brings: object) {
  const daemon = await daemonWith({ policy: policy(hooks, operator) })
  return daemon.send({ path: "/v1/exec", body: { code: "return 1", ...brings } })
}

export const perCall: Attempts<"per-call"> = {
  async lines(bounded) {
    const operator = bounded ? { "script.prefix": "emit('operator')" } : {}
    const { body } = await exec(operator, [], { script: { prefix: [] } })
    return !JSON.stringify(body.frames).includes("operator")
  },
  async hooks(bounded) {
    const off = { ...REFUSES, enabled: false }
    const { body } = await exec({}, bounded ? [REFUSES] : [], { hooks: [off] })
    return body.value === 1
  },
  async order(bounded) {
    const sees = rule("sees", { advise: "@args" }, { on: "script", effect: "advise" })
    const changes = rule("mine", { apply: { input: ["changed"] } }, { on: "script" })
    const { body } = await exec({}, bounded ? [sees] : [changes, sees], bounded ? { hooks: [changes] } : {})
    const seen = body.frames.find(({ hook }: { readonly hook?: string }) => hook === "sees")
    return JSON.stringify(seen.advise).includes("changed")
  },
  async floor(bounded) {
    const mine = rule("mine", { advise: "x" }, { on: "script", ...(bounded ? { floor: "ask" } : {}) })
    return (await exec({}, [], { hooks: [mine] })).status === 200
  },
  async point(bounded) {
    const mine = rule("mine", { advise: "x" }, { on: bounded ? "call" : "script" })
    return (await exec({}, [], { hooks: [mine] })).status === 200
  },
}
