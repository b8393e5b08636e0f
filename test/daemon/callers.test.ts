import { describe, expect, it } from "vitest"
import { EVENT, policy, rule } from "../cli/capture.ts"
import type { Loose } from "./client.ts"
import { daemonWith, tokenIn } from "./world.ts"

const TELLING = policy([rule("who", { advise: "@caller" })])

const callerIn = (body: Loose): unknown => JSON.parse(body.advice[0].text)

describe("who asks", () => {
  it("is the local user on a socket while nobody has a token, and what it says of itself are claims", async () => {
    const daemon = await daemonWith({ policy: TELLING })
    const { body } = await daemon.decide({ ...EVENT, caller: { id: "root", scopes: ["all"] } })
    expect(callerIn(body)).toEqual({
      id: "local",
      scopes: ["decide", "exec", "approve", "read", "administer"],
      claims: { id: "root", scopes: ["all"] },
    })
  })

  it("is whose token it is, and a claim is never believed over it", async () => {
    const daemon = await daemonWith({ policy: TELLING })
    const token = await tokenIn(daemon, "ci", { env: "staging" })
    const { body } = await daemon.decide({ ...EVENT, caller: { id: "root", env: "prod" } }, { token })
    expect(callerIn(body)).toEqual({
      id: "ci",
      scopes: ["decide"],
      env: "staging",
      claims: { id: "root", env: "prod" },
    })
  })

  it("needs a token on the socket, too, once somebody has one", async () => {
    const daemon = await daemonWith({ policy: TELLING })
    await tokenIn(daemon, "ci")
    expect(await daemon.decide(EVENT)).toMatchObject({ status: 401, body: { title: "who asks is not known" } })
  })

  it("needs a token on TCP, always, and a wrong one is nobody's", async () => {
    const daemon = await daemonWith({ policy: TELLING, tcp: true })
    expect((await daemon.decide(EVENT)).status).toBe(401)
    expect((await daemon.decide(EVENT, { token: "detent_wrong" })).status).toBe(401)
    expect((await daemon.decide(EVENT, { headers: { authorization: "Basic eDp5" } })).status).toBe(401)
    expect((await daemon.decide(EVENT, { token: await tokenIn(daemon, "ci") })).status).toBe(200)
  })

  it("does what its scopes let it do", async () => {
    const daemon = await daemonWith({ policy: TELLING })
    const token = await tokenIn(daemon, "reader", { scopes: ["read"] })
    expect(await daemon.decide(EVENT, { token })).toMatchObject({
      status: 403,
      body: { detail: "the caller `reader` has no scope `decide`", scopes: ["decide"] },
    })
    expect((await daemon.send({ path: "/metrics", token })).status).toBe(200)
  })

  it("may not say a higher level than its token's", async () => {
    const daemon = await daemonWith({ policy: policy([rule("no", { refuse: "no" })]) })
    const token = await tokenIn(daemon, "careful", { autonomy: "advise" })
    const { body } = await daemon.decide(EVENT, { token, headers: { "x-detent-settings": '{"hooks.autonomy":"run"}' } })
    expect(body).toMatchObject({ outcome: "continue", autonomy: "advise", requested: "run" })
    expect(body.clampedBy).toBe("the token of careful")
  })
})
