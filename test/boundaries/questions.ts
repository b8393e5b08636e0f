import { EVENT, policy, rule } from "../cli/capture.ts"
import { daemonWith, tokenIn } from "../daemon/world.ts"
import type { Attempts } from "./attempt.ts"

const HOOK = rule("brought", { advise: "x" })

export const readOnly: Attempts<"read-only"> = {
  async "settings PUT"(bounded) {
    const daemon = await daemonWith()
    const fixed = ["hooks", "ceilings", "servers", "model", "model.baseUrl", "script.prefix"]
    const answers = (bounded ? fixed : ["log.level"]).map((path) =>
      daemon.send({ method: "PUT", path: `/v1/settings/${path}`, body: { value: "warn" } }),
    )
    return (await Promise.all(answers)).some(({ status }) => status === 200)
  },
  async routes(bounded) {
    const daemon = await daemonWith({ policy: policy(bounded ? [] : [HOOK]) })
    for (const method of ["POST", "PUT", "PATCH"]) {
      for (const path of ["/v1/hooks", "/v1/settings/hooks", "/v1/settings", "/v1/policy"]) {
        await daemon.send({ method, path, body: { value: [HOOK], hooks: [HOOK] } })
      }
    }
    return (await daemon.decide(EVENT)).body.frames.length > 0
  },
}

/** A question that `agent` has caused, and the tokens of it and of a person. */
async function asked() {
  const daemon = await daemonWith({ policy: policy([rule("asks", { ask: "go on?" }, { effect: "ask" })]) })
  const agent = await tokenIn(daemon, "agent", { scopes: ["decide", "approve"] })
  const person = await tokenIn(daemon, "person", { scopes: ["approve"] })
  const decide = async (event: object = EVENT) => (await daemon.decide(event, { token: agent })).body
  const { approval } = await decide()
  const answer = (token: string) => daemon.send({ path: `/v1/approvals/${approval}`, body: { answer: "yes" }, token })
  return { agent, person, decide, answer }
}

export const ownQuestion: Attempts<"own-question"> = {
  async "own answer"(bounded) {
    const { agent, person, answer } = await asked()
    return (await answer(bounded ? agent : person)).status === 200
  },
  async "other input"(bounded) {
    const { person, decide, answer } = await asked()
    await answer(person)
    const other = { ...EVENT, args: { ...EVENT.args, path: "/etc/passwd" } }
    return (await decide(bounded ? other : EVENT)).outcome === "continue"
  },
  async again(bounded) {
    const { person, decide, answer } = await asked()
    await answer(person)
    if (bounded) await decide()
    return (await decide()).outcome === "continue"
  },
}

/** A record on a full disk, or one that can be written. */
const recordOf = (bounded: boolean) => ({
  append: async () => {
    if (bounded) throw new Error("the disk is full")
    return { seq: 1, hash: "" }
  },
})

export const audit: Attempts<"audit"> = {
  async decide(bounded) {
    const daemon = await daemonWith({ audit: recordOf(bounded) })
    return (await daemon.decide(EVENT)).body.outcome === "continue"
  },
  async exec(bounded) {
    const daemon = await daemonWith({ audit: recordOf(bounded) })
    return (await daemon.send({ path: "/v1/exec", body: { code: "return 'ran'" } })).body.value === "ran"
  },
}
