import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { KEY_NAMES, type Key } from "../../effects/keys.ts"
import { normalise } from "../../effects/normalise.ts"
import { valueSchema } from "../../effects/schema.ts"

const fits = (key: Key, value: unknown, phase = "before") => normalise(key, value, phase).ok

describe("short forms become objects", () => {
  it.each([
    ["advise", "mind the gap", [{ text: "mind the gap" }]],
    ["advise", ["a", { text: "b", severity: "error" }], [{ text: "a" }, { text: "b", severity: "error" }]],
    ["ask", "sure?", { question: "sure?" }],
    ["refuse", "false", { reason: "false" }],
    ["propose", { note: "n" }, { note: "n" }],
  ] as const)("%s %j", (key, value, expected) => {
    expect(normalise(key, value, "before")).toEqual({ ok: true, value: expected })
  })
})

describe("nothing is coerced", () => {
  it.each([
    ["refuse", false],
    ["refuse", null],
    ["refuse", 1],
    ["refuse", ["x"]],
    ["refuse", ""],
    ["refuse", " \n\u00a0"],
    ["refuse", { reason: "x", severity: "error" }],
    ["refuse", { reason: "x", code: "" }],
    ["ask", ""],
    ["ask", { question: "q", choices: [] }],
    ["ask", { question: "q", choices: ["yes", ""] }],
    ["ask", { question: "q", timeoutMs: 0 }],
    ["ask", { question: "q", timeoutMs: "5" }],
    ["ask", { question: "q", timeoutMs: 1.5 }],
    ["advise", []],
    ["advise", { text: "x", severity: "fatal" }],
    ["advise", ["x", ""]],
    ["propose", {}],
    ["propose", "text"],
    ["propose", { other: 1 }],
    ["run", { argv: [] }],
    ["run", { argv: "ls" }],
    ["run", { argv: ["ls"], module: "x" }],
    ["run", { call: { tool: "no-server" } }],
    ["run", { call: { tool: "fs/read", args: [] } }],
    ["run", {}],
    ["apply", {}],
    ["apply", { input: {}, result: 1 }],
    ["apply", { input: " " }],
    ["apply", { input: 1 }],
    ["apply", { merge: null }],
    ["apply", { merge: [] }],
    ["apply", { meta: {} }],
    ["apply", { result: 1, meta: {} }],
    ["apply", { input: {}, meta: null }],
  ] as const)("%s %j does not fit", (key, value) => {
    expect(fits(key, value)).toBe(false)
  })
})

describe("what `apply` and `run` may name depends on the phase", () => {
  const applies = { input: {}, result: 0, error: { message: "m" }, merge: {}, target: {} }
  it.each([
    ["before", ["input", "result", "merge", "target"], false],
    ["prefix", [], false],
    ["onSuccess", ["result", "merge"], false],
    ["onError", ["result", "error", "merge"], true],
    ["suffix", [], false],
    ["observe", [], false],
  ])("%s takes apply of %j and retry: %s", (phase, members, retry) => {
    expect(
      Object.entries(applies).flatMap(([name, value]) => (fits("apply", { [name]: value }, phase) ? [name] : [])),
    ).toEqual(members)
    expect(fits("run", { retry: true }, phase)).toBe(retry)
    expect(fits("run", { retry: { input: {} } }, phase)).toBe(retry)
    expect(fits("run", { argv: ["ls"] }, phase)).toBe(phase !== "suffix" && phase !== "observe")
  })

  it("an error has a message that says something", () => {
    expect(fits("apply", { error: { message: "gone", code: "E1", status: 404 } }, "onError")).toBe(true)
    expect(fits("apply", { error: { message: " " } }, "onError")).toBe(false)
    expect(fits("apply", { error: { code: "E1" } }, "onError")).toBe(false)
    expect(fits("apply", { error: "gone" }, "onError")).toBe(false)
  })
})

describe("only JSON passes", () => {
  const cycle: Record<string, unknown> = {}
  cycle.self = cycle
  it.each([
    ["a __proto__ key", JSON.parse('{"input":{"a":[{"__proto__":{"x":1}}]}}')],
    ["undefined", { input: { a: undefined } }],
    ["NaN", { result: Number.NaN }],
    ["a function", { result: () => 1 }],
    ["a date", { input: { at: new Date(0) } }],
    ["a map", { input: new Map() }],
    ["a bigint", { result: 1n }],
    // biome-ignore lint/suspicious/noSparseArray: a hole is what is tested
    ["a hole", { result: [1, , 2] }],
    ["a cycle", { input: cycle }],
  ])("%s does not fit", (_, value) => {
    expect(fits("apply", value)).toBe(false)
  })

  it("an object without a prototype fits", () => {
    expect(fits("apply", { input: Object.assign(Object.create(null), { a: 1 }) })).toBe(true)
  })
})

describe("the published schema and the hand-written check", () => {
  const leaf = fc.oneof(
    fc.constantFrom("", " ", "text", "fs/read", "error", "warning", true, false, null, 0, 1, -1, 2.5, [], {}),
    fc.constantFrom(undefined, Number.NaN, JSON.parse('{"__proto__":1}')),
  )
  const names = fc.constantFrom(
    ..."text severity data question choices timeoutMs reason code input result error script note meta merge target".split(
      " ",
    ),
    ..."retry call tool args argv module message other".split(" "),
  )
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      leaf,
      fc.dictionary(names, tie("value"), { maxKeys: 3 }),
      fc.array(tie("value"), { maxLength: 2 }),
    ),
  }))
  const near = fc.oneof(
    value,
    fc.record({ text: leaf, severity: leaf, data: value }, { requiredKeys: ["text"] }),
    fc.record(
      { question: leaf, choices: fc.array(leaf, { maxLength: 2 }), timeoutMs: leaf },
      { requiredKeys: ["question"] },
    ),
    fc.record({ reason: leaf, code: leaf, data: value }, { requiredKeys: ["reason"] }),
    fc.record({ input: value, result: value, error: value, note: leaf }, { requiredKeys: [] }),
    fc.record({ input: fc.constant({}), meta: value }, { requiredKeys: ["input"] }),
    fc.record({ error: fc.record({ message: leaf, code: leaf, data: value }, { requiredKeys: ["message"] }) }),
    fc.record({ retry: fc.oneof(leaf, fc.record({ input: value })) }),
    fc.record({ call: fc.record({ tool: leaf, args: value }, { requiredKeys: ["tool"] }) }),
    fc.record({ argv: fc.array(leaf, { maxLength: 3 }) }),
  )

  it.each(KEY_NAMES)("take exactly the same values of `%s`", (key) => {
    const phases = ["before", "prefix", "onSuccess", "onError", "suffix", "observe"]
    const schemas = new Map(phases.map((phase) => [phase, valueSchema(key, phase)]))
    let taken = 0
    fc.assert(
      fc.property(near, fc.constantFrom(...phases), (candidate, phase) => {
        const hand = normalise(key, candidate, phase).ok
        if (hand) taken++
        expect(schemas.get(phase)!.safeParse(candidate).success).toBe(hand)
      }),
      { numRuns: 3000 },
    )
    expect(taken).toBeGreaterThan(0)
  })
})
