import { writeFileSync } from "node:fs"
import { join } from "node:path"
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

it("a switch of hooks is in the record, with what stays in force, and one that cannot be written does not hold", async () => {
  const audit = record()
  const { rows } = audit
  const must = rule("must", { refuse: "no" }, { effect: "ask", floor: "ask", when: { tool: "t" } })
  const hooks = [must, rule("may", { refuse: "maybe" })]
  const daemon = await daemonWith({ policy: policy(hooks, { "features.hooks": false }), audit })
  expect(rows).toMatchObject([
    { on: "features.hooks", caller: { id: "operator" }, input: { value: false, by: "p.json:1", kept: ["must"] } },
  ])
  const run = { code: "return 1", hooks: [{ on: "script", phase: "before", rule: { refuse: "no" }, effect: "ask" }] }
  expect((await daemon.send({ path: "/v1/exec", body: run })).body).toMatchObject({ value: 1 })
  writeFileSync(join(daemon.cwd, "p.json"), policy(hooks))
  await daemon.running.reload()
  expect(rows.at(-1)).toMatchObject({ on: "features.hooks", input: { value: true, kept: ["must", "may"] } })
  audit.broken = true
  writeFileSync(join(daemon.cwd, "p.json"), policy(hooks, { "features.hooks": false }))
  await daemon.running.reload()
  expect(daemon.log.at(-1)).toMatchObject({ error: expect.stringContaining("hooks cannot be switched") })
  audit.broken = false
  expect((await daemon.decide(EVENT)).body.refusal.reason).toBe("maybe")
  await expect(
    daemonWith({
      policy: policy(hooks, { "features.hooks": false }),
      audit: { append: () => Promise.reject(new Error("full")) },
    }),
  ).rejects.toThrow("hooks cannot be switched")
})
