import { expect, it } from "vitest"
import { createEngine } from "../../actions/engine.ts"
import { parsePolicy } from "../../policy/parse.ts"
import { decisionOf } from "../../store/audit/decision.ts"
import type { Decision } from "../../store/audit/row.ts"
import { policyHash } from "../../store/binding.ts"
import type { AuditStore } from "../../store/ports.ts"
import { isScope, SCOPE_NAMES } from "../../store/scopes.ts"

const POLICY = parsePolicy(`
version: 1
ceilings: [{ id: freeze, max: ask, reason: frozen }]
hooks:
  - { id: rewrite, on: call, phase: before, rule: { apply: { input: { path: b } } }, effect: apply }
  - { id: guard, on: call, phase: before, when: { tool: rm }, rule: { refuse: "no rm" }, effect: ask }
`)
const policy = policyHash(POLICY)
const caller = { id: "ci", scopes: ["decide"] }

async function decide(event: Record<string, unknown>): Promise<Decision> {
  const engine = await createEngine({ policy: POLICY })
  const verdict = await engine.around("call", event, () => ({ secret: "s3cret" }), { caller })
  await engine.close()
  const rows: Decision[] = []
  const append: AuditStore["append"] = async (decision) => ({ seq: rows.push(decision), hash: "" })
  await append(decisionOf({ event, on: "call", caller, verdict, policy }))
  return rows[0]!
}

it("a row says who, what, through which hooks, under which ceilings and to what end", async () => {
  const row = await decide({ server: "fs", tool: "rm", args: { path: "a" }, session: "s1" })
  expect(row).toMatchObject({
    caller,
    on: "call",
    session: "s1",
    server: "fs",
    tool: "rm",
    input: { path: "a" },
    outcome: "refuse",
    refusal: { hook: "guard", reason: "no rm" },
    error: { code: "refused" },
    hooks: [
      { id: "rewrite", effect: "ask" },
      { id: "guard", effect: "ask" },
    ],
    ceilings: [{ by: "daemon", id: "freeze", reason: "frozen" }],
    hashes: { policy },
  })
})

it("a result is known by its hash, and stands nowhere in the row", async () => {
  const row = await decide({ server: "fs", tool: "cat", args: { path: "a" } })
  expect(row.outcome).toBe("continue")
  expect(row.hashes?.result).toMatch(/^[0-9a-f]{64}$/)
  expect(JSON.stringify(row)).not.toContain("s3cret")
  expect(row.frames?.map(({ type }) => type)).toEqual(["start", "hook", "call", "result", "end"])
})

it("what the caller sent stands beside the input where hooks changed it, and an error is no going on", async () => {
  const engine = await createEngine({
    policy: parsePolicy(`
version: 1
hooks: [{ id: rewrite, on: call, phase: before, rule: { apply: { input: { path: b } } }, effect: apply }]
`),
  })
  const event = { server: "fs", tool: "cat", args: { path: "a" } }
  const verdict = await engine.around("call", event, () => {
    throw new Error("gone")
  })
  const row = decisionOf({ event, on: "call", caller, verdict, policy })
  expect(row).toMatchObject({ input: { path: "b" }, sent: { path: "a" }, outcome: "error", error: { message: "gone" } })
  expect(row.hashes).not.toHaveProperty("result")
})

it("what a script printed is counted and not kept", async () => {
  const verdict = {
    outcome: "continue",
    input: [],
    advice: [],
    proposals: [],
    questions: [],
    frames: [
      { type: "stdout", text: "a" },
      { type: "stdout", text: "b" },
      { type: "log", level: "info", args: [] },
    ],
  } as const
  const row = decisionOf({ event: {}, on: "script", caller, verdict, policy })
  expect(row).toMatchObject({ left: { stdout: 2, log: 1 }, frames: [] })
})

it("the scopes are the contract's", () => {
  expect(SCOPE_NAMES).toEqual(["decide", "exec", "approve", "read", "administer"])
  expect([isScope("exec"), isScope("constructor"), isScope(1)]).toEqual([true, false, false])
})
