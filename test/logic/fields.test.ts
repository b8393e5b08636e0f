import { describe, expect, it } from "vitest"
import { compileLogic, compileTest } from "../../policy/logic/compile.ts"
import { ConditionError } from "../../policy/logic/condition-error.ts"
import { OPERATION_NAMES } from "../../policy/logic/operations.ts"

const BELOW = { "<": [{ var: "args.amount" }, 100] }

describe("a missing amount", () => {
  it.each<[unknown, unknown, unknown]>([
    [BELOW, { args: {} }, true],
    [BELOW, { args: { amount: null } }, true],
    [BELOW, { args: { amount: "99" } }, true],
    [BELOW, { args: { amount: "1e2x" } }, false],
    [BELOW, { args: { amount: [5] } }, true],
    [{ ">=": [{ var: "args.amount" }, 0] }, { args: { amount: null } }, true],
    [{ "<": ["9", "10"] }, {}, false],
    [{ and: [{ "!": [{ missing: ["args.amount"] }] }, BELOW] }, { args: {} }, false],
    [{ missing: ["args.path"] }, { args: { path: "" } }, ["args.path"]],
    [{ missing: ["args.path"] }, { args: { path: false } }, []],
    [{ var: ["args.x", "def"] }, { args: { x: null } }, null],
  ])("%j on %j is %j", (rule, data, value) => {
    expect(compileLogic(rule)(data)).toEqual(value)
  })
})

describe("names from the prototype", () => {
  it.each<[unknown, unknown, unknown]>([
    [{ var: "constructor.name" }, {}, null],
    [{ "!!": [{ var: "args.hasOwnProperty" }] }, { args: {} }, false],
    [{ missing: ["args.toString"] }, { args: {} }, ["args.toString"]],
    [{ "==": [{ var: "args.constructor" }, null] }, { args: {} }, true],
    [{ var: "args.constructor" }, { args: { constructor: "x" } }, "x"],
    [{ var: "args.length" }, { args: "abc" }, null],
    [{ var: "args.length" }, { args: [1, 2] }, null],
    [{ var: "args.1" }, { args: [1, 2] }, 2],
    [{ var: "args.length" }, { args: { length: 7 } }, 7],
    [{ var: "a.b.c.constructor.name" }, { a: { b: { c: {} } } }, null],
    [{ var: ["valueOf", "none"] }, {}, "none"],
    [{ missing_some: [1, ["toString", "a"]] }, {}, ["toString", "a"]],
    [{ map: [{ var: "rows" }, { var: "constructor" }] }, { rows: [{}, { constructor: 1 }] }, [null, 1]],
    [{ var: { cat: ["constr", "uctor"] } }, {}, null],
  ])("%j on %j is %j", (rule, data, value) => {
    expect(compileLogic(rule)(data)).toEqual(value)
  })

  it("stay hidden after somebody put a member on every object", () => {
    const read = compileLogic({ var: "args.polluted" })
    const bare = compileLogic({ var: "polluted" })
    const within = compileLogic({ var: "polluted.deep" })
    Object.defineProperty(Object.prototype, "polluted", { value: { deep: "yes" }, configurable: true })
    try {
      expect(within({})).toBeNull()
      expect(read({ args: {} })).toBeNull()
      expect(bare({})).toBeNull()
      expect(read({ args: { polluted: "own" } })).toBe("own")
      expect(compileTest({ missing: ["polluted"] })({})).toBe(true)
    } finally {
      delete (Object.prototype as Record<string, unknown>).polluted
    }
  })

  it("stay hidden on an object with a prototype of its own", () => {
    const args: unknown = Object.assign(Object.create({ inherited: 1 }), { own: 2 })
    expect(compileLogic({ var: "args.inherited" })({ args })).toBeNull()
    expect(compileLogic({ var: "args.own" })({ args })).toBe(2)
    expect(compileLogic({ var: "own" })(args)).toBe(2)
  })

  it("are no operations, and neither are `method` and `log`", () => {
    for (const op of ["constructor", "toString", "__proto__", "method", "log", "cat.call", "var.constructor"]) {
      const rule = JSON.parse(`{${JSON.stringify(op)}: ["x"]}`) as unknown
      expect(() => compileLogic(rule)({}), op).toThrow(ConditionError)
    }
    expect(OPERATION_NAMES).not.toContain("log")
    expect(OPERATION_NAMES).not.toContain("method")
  })
})

describe("a rule in the data", () => {
  it("is never run, in `missing` or anywhere else", () => {
    const data = { keys: [{ cat: ["a"] }], key: { var: "secret" }, secret: "", a: "" }
    expect(compileLogic({ missing: { var: "keys" } })(data)).toEqual([{ cat: ["a"] }])
    expect(compileLogic({ var: { var: "key" } })(data)).toBeNull()
  })
})

describe("a rule nested very deeply", () => {
  it("is an error when it is evaluated, and no overflow when it is compiled", () => {
    let rule: unknown = true
    for (let depth = 0; depth < 5000; depth++) rule = { "!": [rule] }
    const test = compileTest(rule)
    expect(() => test({})).toThrow(ConditionError)
  })

  it("compiles in time that grows with its size", () => {
    let rule: unknown = { var: "a" }
    for (let depth = 0; depth < 300; depth++) rule = { "<": [0, rule, 5] }
    expect(compileLogic(rule)({ a: 1 })).toBe(true)
  })
})

describe("what is not reached", () => {
  it("does no harm, whatever is wrong with it", () => {
    expect(compileLogic({ or: [true, { nonsense: 1 }] })({})).toBe(true)
    expect(() => compileLogic({ or: [false, { nonsense: 1 }] })({})).toThrow("unknown operation `nonsense`")
  })
})
