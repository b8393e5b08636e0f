import fc from "fast-check"
import jsonLogic from "json-logic-js"
import { describe, expect, it } from "vitest"
import { compileLogic, compileTest } from "../../policy/logic/compile.ts"
import { ConditionError } from "../../policy/logic/condition-error.ts"
import { corpus, VALUES } from "./corpus.ts"

/** What a rule comes to, as one comparable text; `throws` where it cannot be evaluated. */
const outcome = (evaluate: () => unknown): string => {
  try {
    return show(evaluate())
  } catch {
    return "throws"
  }
}

/** JSON, with what JSON cannot say. */
const show = (value: unknown): string =>
  JSON.stringify(value, (_, inner) =>
    inner === undefined
      ? "<undefined>"
      : typeof inner === "number" && !Number.isFinite(inner)
        ? `<${inner}>`
        : Object.is(inner, -0)
          ? "<-0>"
          : inner,
  )

const reference = (rule: unknown, data: unknown): string => outcome(() => jsonLogic.apply(rule as never, data))
const ours = (rule: unknown, data: unknown): string => outcome(() => compileLogic(rule)(data))

describe("a condition", () => {
  it("comes to what json-logic-js makes of it, for every operation and value", () => {
    const wrong: unknown[] = []
    let count = 0
    for (const { rule, data } of corpus()) {
      count++
      const [expected, got] = [reference(rule, data), ours(rule, data)]
      if (expected !== got) wrong.push({ rule, data, expected, got })
    }
    expect(count).toBeGreaterThan(1000)
    expect(wrong).toEqual([])
  })

  it("as a test, is the reference's truth of that value", () => {
    const wrong: unknown[] = []
    for (const { rule, data } of corpus()) {
      const expected = outcome(() => jsonLogic.truthy(jsonLogic.apply(rule as never, data)))
      const got = outcome(() => compileTest(rule)(data))
      if (expected !== got) wrong.push({ rule, data, expected, got })
    }
    expect(wrong).toEqual([])
  })

  it("comes to what json-logic-js makes of it, for random rules and data", () => {
    fc.assert(
      fc.property(randomRule, randomData, (rule, data) => {
        expect(ours(rule, data)).toBe(reference(rule, data))
      }),
      { numRuns: 3000 },
    )
  })

  it("changes neither the rule nor the data", () => {
    for (const { rule, data } of corpus()) {
      const before = show([rule, data])
      ours(rule, data)
      expect(show([rule, data])).toBe(before)
    }
  })

  it("throws nothing but ConditionError", () => {
    for (const { rule, data } of corpus()) {
      try {
        compileLogic(rule)(data)
      } catch (error) {
        expect(error).toBeInstanceOf(ConditionError)
      }
    }
  })
})

const name = fc.constantFrom("a", "b", "c", "0", "1")
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join("."))
const scalar = fc.oneof(fc.constantFrom(...VALUES), path, fc.integer({ min: -3, max: 3 }))

/** No object of the data has exactly one member: `missing` of the reference would run it as a rule. */
const { data: randomData } = fc.letrec((tie) => ({
  data: fc.oneof(
    { depthSize: "small" },
    scalar,
    fc.array(tie("data"), { maxLength: 3 }),
    fc.record({ a: tie("data"), b: tie("data"), c: tie("data") }),
  ),
}))

const EAGER = [
  "==",
  "===",
  "!=",
  "!==",
  "<",
  "<=",
  ">",
  ">=",
  "+",
  "-",
  "*",
  "/",
  "%",
  "min",
  "max",
  "in",
  "cat",
  "substr",
  "merge",
  "!",
  "!!",
]
const LAZY = ["and", "or", "if", "?:", "map", "filter", "reduce", "all", "none", "some", "missing", "missing_some"]

const { rule: randomRule } = fc.letrec((tie) => ({
  rule: fc.oneof(
    { depthSize: "medium" },
    scalar,
    path.map((at) => ({ var: at })),
    fc.tuple(path, tie("rule")).map((operands) => ({ var: operands })),
    fc.constantFrom({ var: "" }, { var: "current" }, { var: "accumulator" }),
    fc
      .tuple(fc.constantFrom(...EAGER), fc.array(tie("rule"), { maxLength: 4 }))
      .map(([op, operands]) => ({ [op]: operands })),
    fc
      .tuple(fc.constantFrom(...LAZY), fc.array(tie("rule"), { maxLength: 5 }))
      .map(([op, operands]) => ({ [op]: operands })),
    fc.tuple(fc.constantFrom(...EAGER, ...LAZY), tie("rule")).map(([op, operand]) => ({ [op]: operand })),
  ),
}))
