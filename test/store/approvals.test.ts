import { expect, it } from "vitest"
import { parsePolicy } from "../../policy/parse.ts"
import { bindingOf, ceilingsHash, policyHash } from "../../store/binding.ts"
import type { Answerer, NewApproval } from "../../store/ports.ts"
import { openState } from "../../store/state/state.ts"
import { privateFolder } from "./folder.ts"

const POLICY = parsePolicy("version: 1\nceilings: [{ id: freeze, max: ask }]\n")
const OPERATION = {
  on: "call",
  phase: "before",
  server: "fs",
  tool: "rm",
  input: { path: "/a" },
  caller: "ci",
  hooks: ["careful"],
  policy: policyHash(POLICY),
  ceilings: ceilingsHash(POLICY),
}
const BINDING = bindingOf(OPERATION)
const LATER = new Date(Date.now() + 60_000).toISOString()
const OPERATOR: Answerer = { id: "ann", known: "authenticated" }

const question = (more: Partial<NewApproval> = {}): NewApproval => ({
  id: "q1",
  caller: "ci",
  binding: BINDING,
  questions: [{ hook: "careful", question: "really?" }],
  event: { on: "call", tool: "rm" },
  expiresAt: LATER,
  ...more,
})

it("an answer is redeemed once, by the same caller, for the same operation", async () => {
  const { approvals } = await openState(privateFolder())
  await approvals.open(question())
  expect(await approvals.redeem("q1", { caller: "ci", binding: BINDING })).toMatchObject({ fault: "open" })
  expect(await approvals.answer("q1", ["yes"], OPERATOR)).toMatchObject({
    ok: true,
    approval: { answers: ["yes"], answeredBy: { id: "ann", known: "authenticated" } },
  })
  expect(await approvals.redeem("q1", { caller: "other", binding: BINDING })).toMatchObject({ fault: "caller" })
  const changed = bindingOf({ ...OPERATION, input: { path: "/b" } })
  expect(await approvals.redeem("q1", { caller: "ci", binding: changed })).toMatchObject({ fault: "changed" })
  expect(await approvals.redeem("q1", { caller: "ci", binding: BINDING })).toMatchObject({ ok: true })
  expect(await approvals.redeem("q1", { caller: "ci", binding: BINDING })).toMatchObject({ fault: "redeemed" })
})

it("who caused a question never answers it", async () => {
  const { approvals } = await openState(privateFolder())
  await approvals.open(question())
  const own = await approvals.answer("q1", ["yes"], { id: "ci", known: "authenticated" })
  expect(own).toEqual({ ok: false, fault: "own", message: "who caused a question may not answer it" })
  expect(await approvals.get("q1")).toMatchObject({ state: "open" })
})

it("is answered once", async () => {
  const { approvals } = await openState(privateFolder())
  await approvals.open(question())
  await approvals.answer("q1", ["no"], OPERATOR)
  expect(await approvals.answer("q1", ["yes"], { id: "bob", known: "self-reported" })).toMatchObject({
    fault: "answered",
  })
  expect(await approvals.get("q1")).toMatchObject({ answers: ["no"], answeredBy: { id: "ann" } })
})

it("an answer that the question does not take is none", async () => {
  const { approvals } = await openState(privateFolder())
  const questions = [{ hook: "careful", question: "where?", choices: ["here", "there"] }]
  await approvals.open(question({ questions }))
  expect(await approvals.answer("q1", ["yes"], OPERATOR)).toMatchObject({ fault: "answer" })
  expect(await approvals.answer("q1", [], OPERATOR)).toMatchObject({ fault: "answer" })
  expect(await approvals.answer("q1", ["there"], OPERATOR)).toMatchObject({ ok: true })
})

it("expires without anything having to run", async () => {
  const { approvals } = await openState(privateFolder())
  await approvals.open(question({ expiresAt: new Date(Date.now() - 1).toISOString() }))
  expect(await approvals.list({ state: "open" })).toEqual([])
  expect(await approvals.answer("q1", ["yes"], OPERATOR)).toMatchObject({ fault: "expired" })
})

it("an answered question expires too, unless it was redeemed before", async () => {
  const folder = privateFolder()
  const state = await openState(folder)
  const soon = new Date(Date.now() + 50).toISOString()
  await state.approvals.open(question({ expiresAt: soon }))
  await state.approvals.answer("q1", ["yes"], OPERATOR)
  await new Promise((resolve) => setTimeout(resolve, 60))
  expect(await state.approvals.redeem("q1", { caller: "ci", binding: BINDING })).toMatchObject({ fault: "expired" })
})

it("a restart loses no question and no answer", async () => {
  const folder = privateFolder()
  const before = await openState(folder)
  await before.approvals.open(question())
  await before.approvals.open(question({ id: "q2" }))
  await before.approvals.answer("q2", ["yes"], OPERATOR)
  before.close()
  const { approvals } = await openState(folder)
  expect((await approvals.list()).map(({ id, state }) => [id, state])).toEqual([
    ["q1", "open"],
    ["q2", "answered"],
  ])
})

it("of many that redeem at once, from two processes' handles, one gets it", async () => {
  const folder = privateFolder()
  const [one, two] = [await openState(folder), await openState(folder)]
  await one.approvals.open(question())
  await two.approvals.answer("q1", ["yes"], OPERATOR)
  const all = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      (at % 2 === 0 ? one : two).approvals.redeem("q1", { caller: "ci", binding: BINDING }),
    ),
  )
  expect(all.filter(({ ok }) => ok)).toHaveLength(1)
})

it("whoever waits is told of an answer that came through another handle, and of a withdrawal", async () => {
  const folder = privateFolder()
  const [daemon, console] = [await openState(folder), await openState(folder)]
  await daemon.approvals.open(question())
  await daemon.approvals.open(question({ id: "q2" }))
  const waits = [daemon.approvals.settled("q1"), daemon.approvals.settled("q2")]
  await console.approvals.answer("q1", ["yes"], OPERATOR)
  expect(await daemon.approvals.withdraw("q2")).toBe(true)
  expect(await Promise.all(waits)).toMatchObject([{ state: "answered" }, { state: "withdrawn" }])
})

it("a wait ends when it is called off", async () => {
  const { approvals } = await openState(privateFolder())
  await approvals.open(question())
  const cancel = new AbortController()
  const wait = approvals.settled("q1", cancel.signal)
  cancel.abort()
  expect(await wait).toMatchObject({ state: "open" })
  expect(await approvals.settled("nobody")).toBeUndefined()
})

it("a binding depends on each of its members and not on the order of keys", () => {
  const turned = Object.fromEntries(Object.entries(OPERATION).reverse()) as typeof OPERATION
  expect(bindingOf(turned)).toBe(BINDING)
  for (const key of Object.keys(OPERATION)) {
    expect(bindingOf({ ...OPERATION, [key]: "another" }), key).not.toBe(BINDING)
  }
  for (const key of ["definition", "session"]) expect(bindingOf({ ...OPERATION, [key]: "x" })).not.toBe(BINDING)
})

it("the hashes of a policy tell other ceilings and other hooks", () => {
  const other = parsePolicy("version: 1\nceilings: [{ id: freeze, max: advise }]\n")
  expect(ceilingsHash(other)).not.toBe(ceilingsHash(POLICY))
  expect(policyHash(other)).not.toBe(policyHash(POLICY))
  expect(policyHash(parsePolicy("version: 1\nceilings: [{ id: freeze, max: ask }]\n"))).toBe(policyHash(POLICY))
})
