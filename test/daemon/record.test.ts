import { expect, it } from "vitest"
import type { Decision } from "../../store/audit/row.ts"
import { EVENT, policy, rule } from "../cli/capture.ts"
import { daemonWith } from "./world.ts"

const RULES = policy([rule("no", { refuse: "no" }, { when: { tool: "write_file" } })])

/** A record that a test looks into, and can break. */
function record() {
  const rows: Decision[] = []
  const store = {
    broken: false,
    rows,
    async append(decision: Decision) {
      if (store.broken) throw new Error("the disk is full")
      rows.push(decision)
      return { seq: rows.length, hash: "" }
    },
  }
  return store
}

it("every decision is written down before it is told, with what was sent and what came of it", async () => {
  const audit = record()
  const daemon = await daemonWith({ policy: RULES, audit })
  await daemon.decide(EVENT)
  await daemon.decide({ ...EVENT, tool: "read_file", caller: { id: "me" } })
  expect(audit.rows).toMatchObject([
    {
      on: "call",
      phase: "before",
      tool: "write_file",
      outcome: "refuse",
      refusal: { hook: "no" },
      hooks: [{ id: "no" }],
    },
    { tool: "read_file", outcome: "continue", caller: { id: "local", claims: { id: "me" } }, input: EVENT.args },
  ])
  expect(audit.rows[0]!.hashes!.policy).toMatch(/^[0-9a-f]{64}$/)
})

it("what cannot be written is refused, told in the log and in the health, until it can be again", async () => {
  const audit = record()
  const daemon = await daemonWith({ policy: RULES, audit })
  audit.broken = true
  expect((await daemon.decide({ ...EVENT, tool: "read_file" })).body).toMatchObject({
    outcome: "refuse",
    refusal: { code: "audit" },
  })
  expect(await daemon.send({ path: "/healthz?ready" })).toMatchObject({ status: 503, body: { status: "not written" } })
  expect(daemon.log.at(-1)).toMatchObject({ message: "a decision could not be written", reason: "the disk is full" })
  audit.broken = false
  expect((await daemon.decide({ ...EVENT, tool: "read_file" })).body.outcome).toBe("continue")
  expect((await daemon.send({ path: "/healthz?ready" })).status).toBe(200)
})

it("a foreign page leaves one line", async () => {
  const audit = record()
  const daemon = await daemonWith({ policy: RULES, audit })
  await daemon.decide(EVENT, { headers: { origin: "https://evil.example" } })
  expect(audit.rows).toEqual([
    {
      caller: { id: "unknown" },
      on: "http",
      outcome: "refuse",
      refusal: { reason: 'the origin "https://evil.example" is not allowed', code: "origin" },
    },
  ])
})
