import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { detent, EVENT, lines, policy, rule } from "../cli/capture.ts"
import type { Loose } from "./client.ts"
import { daemonWith, tokenIn } from "./world.ts"

const ASKING = policy([
  rule("asks", { ask: "may it?" }, { effect: "ask" }),
  rule("guard", { refuse: "never" }, { effect: "ask", when: { args: { path: "secret" } } }),
])

const asking = async () => {
  const daemon = await daemonWith({ policy: ASKING })
  const agent = await tokenIn(daemon, "agent")
  const other = await tokenIn(daemon, "other")
  const person = await tokenIn(daemon, "person", { scopes: ["approve"] })
  const answer = (id: string, said: unknown, token = person) =>
    daemon.send({ path: `/v1/approvals/${id}`, body: { answer: said }, token })
  return { daemon, agent, other, person, answer }
}

describe("a question of a hook", () => {
  it("waits for a person, and the same moment takes the answer, once", async () => {
    const { daemon, agent, person, answer } = await asking()
    const { body } = await daemon.decide(EVENT, { token: agent })
    expect(body).toMatchObject({ outcome: "ask", questions: [{ hook: "asks", question: "may it?" }] })
    expect(body.frames).toMatchObject([
      { type: "ask", approval: body.approval },
      { type: "hook", hook: "asks" },
    ])
    const waiting = await daemon.send({ path: "/v1/approvals", token: person })
    expect(waiting.body.approvals).toMatchObject([{ id: body.approval, caller: "agent", event: { args: EVENT.args } }])
    expect((await answer(body.approval, "yes")).body).toMatchObject({
      state: "answered",
      answeredBy: { id: "person", known: "authenticated" },
    })
    const again = await daemon.decide(EVENT, { token: agent })
    expect(again.body).toMatchObject({ outcome: "continue", approval: body.approval })
    expect(again.body.frames.find((frame: Loose) => frame.ask)).toMatchObject({ hook: "asks", ask: { answer: "yes" } })
    const third = await daemon.decide(EVENT, { token: agent })
    expect(third.body.outcome).toBe("ask")
    expect(third.body.approval).not.toBe(body.approval)
  })

  it("is one question, however often its moment comes again meanwhile", async () => {
    const { daemon, agent } = await asking()
    const first = await daemon.decide(EVENT, { token: agent })
    expect((await daemon.decide(EVENT, { token: agent })).body.approval).toBe(first.body.approval)
  })

  it("refuses on a no", async () => {
    const { daemon, agent, answer } = await asking()
    const { body } = await daemon.decide(EVENT, { token: agent })
    await answer(body.approval, "no")
    expect((await daemon.decide(EVENT, { token: agent })).body).toMatchObject({
      outcome: "refuse",
      refusal: { hook: "asks", code: "denied" },
    })
  })

  it("is answered for its own input, caller and policy alone", async () => {
    const { daemon, agent, other, answer } = await asking()
    const { body } = await daemon.decide(EVENT, { token: agent })
    await answer(body.approval, "yes")
    const changed = { ...EVENT, args: { ...EVENT.args, text: "y" } }
    expect((await daemon.decide(changed, { token: agent })).body.outcome).toBe("ask")
    expect((await daemon.decide(EVENT, { token: other })).body.outcome).toBe("ask")
    expect((await daemon.decide(EVENT, { token: agent })).body.outcome).toBe("continue")
  })

  it("outlives the daemon, and a changed policy does not take its answer", async () => {
    const { daemon, agent, answer } = await asking()
    const first = await daemon.decide(EVENT, { token: agent })
    const second = await daemon.decide({ ...EVENT, tool: "read_file" }, { token: agent })
    await answer(first.body.approval, "yes")
    await answer(second.body.approval, "yes")
    await daemon.running.stop(1000)
    const same = await daemonWith({ cwd: daemon.cwd })
    expect((await same.decide(EVENT, { token: agent })).body.outcome).toBe("continue")
    await same.running.stop(1000)
    writeFileSync(join(daemon.cwd, "p.json"), ASKING.replace("may it?", "may it really?"))
    const changed = await daemonWith({ cwd: daemon.cwd })
    expect((await changed.decide({ ...EVENT, tool: "read_file" }, { token: agent })).body.outcome).toBe("ask")
  })

  it("is not answered by who caused it, by who has no scope, twice, or with something else", async () => {
    const { daemon, agent, person, answer } = await asking()
    const both = await tokenIn(daemon, "both", { scopes: ["decide", "approve"] })
    const { body } = await daemon.decide(EVENT, { token: both })
    expect(await answer(body.approval, "yes", both)).toMatchObject({
      status: 403,
      body: { type: "urn:detent:problem:own-question" },
    })
    expect((await answer(body.approval, "yes", agent)).status).toBe(403)
    expect((await answer(body.approval, "maybe")).status).toBe(400)
    expect((await answer("nowhere", "yes")).status).toBe(404)
    expect((await answer(body.approval, "yes")).status).toBe(200)
    expect((await answer(body.approval, "no")).status).toBe(409)
    const none = await daemon.send({ path: `/v1/approvals/${body.approval}`, body: {}, token: person })
    expect(none.body.detail).toBe("the body needs one of `answer` and `answers`")
    const misspelt = await daemon.send({
      path: `/v1/approvals/${body.approval}`,
      body: { anwser: "yes" },
      token: person,
    })
    expect(misspelt.body.detail).toBe("unknown field `anwser`; did you mean `answer`?")
  })

  it("is told on the bus, and observe hooks see it", async () => {
    const watching = JSON.stringify({
      version: 1,
      hooks: [
        ...JSON.parse(ASKING).hooks,
        {
          id: "watch",
          on: "approval.",
          phase: "observe",
          run: ["sh", "-c", "cat > seen-$$"],
        },
      ],
    })
    const daemon = await daemonWith({ policy: watching })
    const { body } = await daemon.decide(EVENT)
    await daemon.send({ path: `/v1/approvals/${body.approval}`, body: { answers: ["yes"] } })
    await daemon.decide(EVENT)
    await daemon.running.stop(5000)
    const seen = readdirSync(daemon.cwd).filter((name) => name.startsWith("seen-"))
    const kinds = seen.map((name) => JSON.parse(readFileSync(join(daemon.cwd, name), "utf8")).on)
    expect(kinds.sort()).toEqual(["approval.answered", "approval.opened", "approval.redeemed"])
  })
})

describe("detent approvals", () => {
  it("lists and answers, and says so where nobody but oneself is known", async () => {
    const daemon = await daemonWith({ policy: ASKING })
    const { body } = await daemon.decide(EVENT)
    const socket = ["--socket", join(daemon.cwd, "run", "d.sock")]
    const { out } = await detent(["approvals", ...socket, "--format", "text"], { cwd: daemon.cwd })
    expect(out).toContain("local wants fs/write_file")
    expect(out).toContain("asks asks: may it? [yes/no]")
    const answered = await detent(["approvals", body.approval, "yes", ...socket], { cwd: daemon.cwd })
    expect(lines(answered.out)).toMatchObject([{ answeredBy: { id: "the local user", known: "self-reported" } }])
    expect((await daemon.decide(EVENT)).body.outcome).toBe("continue")
  })

  it("says that no daemon answers, and what the daemon says is wrong", async () => {
    const nobody = await detent(["approvals"])
    expect({ code: nobody.code, err: nobody.err }).toEqual({
      code: 1,
      err: expect.stringContaining("no daemon answers on"),
    })
    const { daemon, agent } = await asking()
    const words = ["approvals", "--socket", join(daemon.cwd, "run", "d.sock")]
    expect((await detent(words, { cwd: daemon.cwd })).err).toContain("the request has no token (set `DETENT_TOKEN`)")
    const { err } = await detent(words, { cwd: daemon.cwd, env: { DETENT_TOKEN: agent } })
    expect(err).toContain("the caller `agent` has no scope `approve` or `read`")
  })
})

describe("detent caller", () => {
  it("gives a token that is good at once, lists it, and takes it back", async () => {
    const daemon = await daemonWith({ policy: ASKING })
    // The command's own folder is the daemon's.
    const env = { XDG_STATE_HOME: join(daemon.cwd, "state") }
    const added = await detent(["caller", "add", "ci", "--scope", "decide", "--scope", "read", "--autonomy", "ask"], {
      env,
    })
    const [{ token }] = lines(added.out) as [{ token: string }]
    expect(token).toMatch(/^detent_/)
    expect(lines((await detent(["caller", "list"], { env })).out)).toMatchObject([
      { id: "ci", autonomy: "ask", scopes: ["decide", "read"] },
    ])
    expect((await detent(["caller", "add", "ci"], { env })).err).toContain("there is a caller `ci` already")
    expect((await detent(["caller", "add", "x", "--scope", "decid"], { env })).err).toContain("did you mean `decide`?")
    expect((await detent(["caller", "revoke", "ci"], { env })).code).toBe(0)
    expect((await detent(["caller", "revoke", "ci"], { env })).err).toContain("no caller `ci` has a token in force")
  })
})
