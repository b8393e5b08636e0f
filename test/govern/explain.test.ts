import { describe, expect, test } from "vitest"
import { explain } from "../../govern/explain.ts"
import { explainTable } from "../../govern/table.ts"
import { parsePolicy } from "../../policy/parse.ts"

const policy = parsePolicy(
  `version: 1
autonomy.max: propose
hooks.autonomy: apply
ceilings:
  - { id: prod-freeze, if: { "==": [{ var: caller.env }, prod] }, max: ask, reason: change freeze }
hooks:
  - { id: mover, on: call, phase: before, effect: apply, rule: { apply: { input: {} } } }
  - { id: late, on: call, phase: suffix, effect: ask, run: [late] }
  - { id: guard, on: call, phase: before, effect: ask, floor: ask, when: { tool: "/(write|edit)_file/" }, rule: { refuse: no } }
  - { id: "off", on: call, phase: before, enabled: false, rule: { advise: x } }
`,
  { file: "detent.yaml" },
)
const WRITE = { on: "call", phase: "before", server: "fs", tool: "write_file", args: {} }
const rowOf = (id: string, rows: ReturnType<typeof explain>) => rows.find(({ hook }) => hook === id)!

describe("explain", () => {
  test("every ceiling is told, what decides, and where it was said", () => {
    expect(rowOf("mover", explain(policy))).toMatchObject({
      effect: "apply",
      ceilings: { phase: "run", caller: "apply", floor: "off", daemon: "propose", host: "run" },
      effective: "propose",
      decidedBy: ["daemon"],
      sources: [{ by: "daemon", origin: "autonomy.max (detent.yaml:2)" }],
      origin: "detent.yaml:7",
      drops: [
        { key: "apply", by: ["daemon"] },
        { key: "run", by: ["effect", "caller", "daemon"] },
      ],
    })
  })

  test("a hook that nothing lowers is decided by its own effect", () => {
    expect(rowOf("guard", explain(policy))).toMatchObject({ effective: "ask", decidedBy: ["effect"], sources: [] })
  })

  test("a floor decides where it lifts what the caller asked for", () => {
    const guard = rowOf("guard", explain(policy, { autonomy: "off" }))
    expect(guard).toMatchObject({ effective: "ask", ceilings: { caller: "off", floor: "ask" } })
    const lifted = { ...policy, hooks: policy.hooks.map((hook) => hook && { ...hook, effect: "propose" as const }) }
    expect(rowOf("guard", explain(lifted, { autonomy: "off" }))).toMatchObject({
      effective: "ask",
      decidedBy: ["floor"],
      sources: [{ by: "caller", origin: "hooks.autonomy (call)" }],
    })
  })

  test("an agent's name says what it makes of each hook, and which it never fires", () => {
    const rows = explain(policy, { host: { agent: "codex" } })
    expect(rowOf("mover", rows).host).toEqual({
      events: ["PreToolUse"],
      max: "propose",
      becomes: expect.objectContaining({ refuse: "stops", ask: "refused" }),
    })
    const gemini = explain(
      { ...policy, hooks: policy.hooks.map((one) => one && { ...one, phase: "onError" as const }) },
      { host: { agent: "gemini" } },
    )
    expect(rowOf("guard", gemini)).toMatchObject({
      effective: "off",
      decidedBy: ["host"],
      sources: [{ by: "host", origin: "gemini never fires call onError" }],
    })
    expect(rowOf("guard", gemini).host).toBeUndefined()
    expect(explainTable(rows)).toContain("at PreToolUse; advice: model; refusal: stops; question: refused")
  })

  test("two ceilings at the same height decide together, in their order", () => {
    expect(rowOf("late", explain(policy, { host: { name: "pocket", max: "advise" } }))).toMatchObject({
      effective: "advise",
      decidedBy: ["phase", "host"],
      sources: [
        { by: "phase", origin: "phase suffix of call" },
        { by: "host", origin: "pocket" },
      ],
    })
  })

  test("without an event a conditional ceiling is only named, for the hooks that it would lower", () => {
    const rows = explain(policy)
    expect(rowOf("mover", rows).conditional).toEqual([
      { id: "prod-freeze", max: "ask", reason: "change freeze", origin: "detent.yaml:5" },
    ])
    expect(rowOf("guard", rows).conditional).toEqual([])
    expect(rowOf("mover", rows).matches).toBeUndefined()
  })

  test("with an event the ceiling holds or does not, and each hook says whether it matches", () => {
    const rows = explain(policy, { event: WRITE, caller: { id: "ann", env: "prod" } })
    expect(rowOf("mover", rows)).toMatchObject({
      effective: "ask",
      sources: [{ by: "daemon", id: "prod-freeze", reason: "change freeze", origin: "ceilings (detent.yaml:5)" }],
      matches: true,
    })
    expect(rows.map(({ matches }) => matches)).toEqual([true, false, true, true])
    const dev = explain(policy, { event: { ...WRITE, tool: "read_file" }, caller: { id: "ann", env: "dev" } })
    expect(rowOf("mover", dev).effective).toBe("propose")
    expect(rowOf("guard", dev).matches).toBe(false)
  })

  test("more that is said of autonomy.max only lowers", () => {
    expect(rowOf("mover", explain(policy, { autonomyMax: "run" })).effective).toBe("propose")
    expect(rowOf("mover", explain(policy, { autonomyMax: "advise" }))).toMatchObject({
      effective: "advise",
      sources: [{ origin: "autonomy.max (settings)" }],
    })
  })

  test("an unknown level is an error, never a default", () => {
    expect(() => explain(policy, { autonomy: "high" as never })).toThrow(RangeError)
    expect(() => explain(policy, { host: "high" as never })).toThrow(RangeError)
  })
})

describe("the table", () => {
  test("columns are aligned, and below a hook stands what lowers it or may", () => {
    expect(explainTable(explain(policy)).split("\n")).toEqual([
      "hook   on           action  effect  in force  decided by  origin",
      "─────  ───────────  ──────  ──────  ────────  ──────────  ──────────────",
      "mover  call before  rule    apply   propose   daemon      detent.yaml:7",
      "    lowered by daemon: autonomy.max (detent.yaml:2)",
      "    may be lowered to ask by prod-freeze (detent.yaml:5), change freeze",
      "late   call suffix  run     ask     advise    phase       detent.yaml:8",
      "    lowered by phase: phase suffix of call",
      "guard  call before  rule    ask     ask       effect      detent.yaml:9",
      "off    call before  rule    advise  disabled  effect      detent.yaml:10",
    ])
  })

  test("it fits 120 columns, however long the names are", () => {
    const long = "a".repeat(300)
    const rows = explain(policy).map((row) => ({ ...row, hook: long, origin: long, on: long }))
    const widths = explainTable(rows)
      .split("\n")
      .map((line) => line.length)
    expect(Math.max(...widths)).toBeLessThanOrEqual(120)
  })

  test("a name cannot break out of its line", () => {
    const rows = explain(policy).map((row) => ({ ...row, hook: "a\nb\u001b[31m" }))
    expect(explainTable(rows)).not.toContain("\u001b")
    expect(explainTable(rows)).toContain("a·b·[31m")
  })

  test("no hooks, no table", () => {
    expect(explainTable([])).toBe("no hooks are in force here")
  })
})
