import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { canonicalJson, copyJson } from "../../effects/json.ts"
import { mergePatch } from "../../effects/merge.ts"

/** The examples of RFC 7396, appendix A: original, patch, result. */
const EXAMPLES: readonly (readonly [unknown, unknown, unknown])[] = [
  [{ a: "b" }, { a: "c" }, { a: "c" }],
  [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
  [{ a: "b" }, { a: null }, {}],
  [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
  [{ a: ["b"] }, { a: "c" }, { a: "c" }],
  [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
  [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
  [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
  [
    ["a", "b"],
    ["c", "d"],
    ["c", "d"],
  ],
  [{ a: "b" }, ["c"], ["c"]],
  [{ a: "foo" }, null, null],
  [{ a: "foo" }, "bar", "bar"],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: "b", c: null }, { a: "b" }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
]

const anyJson = fc.json({ maxDepth: 3 }).map((text): unknown => JSON.parse(text))

describe("merge patches", () => {
  for (const [original, patch, result] of EXAMPLES) {
    it(`turn ${JSON.stringify(original)} by ${JSON.stringify(patch)} into ${JSON.stringify(result)}`, () => {
      expect(canonicalJson(mergePatch(original, patch))).toBe(canonicalJson(result))
    })
  }

  it("change neither argument", () => {
    fc.assert(
      fc.property(anyJson, anyJson, (target, patch) => {
        const before = canonicalJson([target, patch])
        mergePatch(target, patch)
        expect(canonicalJson([target, patch])).toBe(before)
      }),
    )
  })

  it("do nothing more when they are applied again", () => {
    fc.assert(
      fc.property(anyJson, anyJson, (target, patch) => {
        const once = mergePatch(target, patch)
        expect(canonicalJson(mergePatch(copyJson(once), patch))).toBe(canonicalJson(once))
      }),
    )
  })

  it("leave no null of the patch behind, however deep", () => {
    expect(mergePatch(1, { a: { b: null, c: { d: null } } })).toEqual({ a: { c: {} } })
  })

  it("take a member that is undefined for no word on it", () => {
    expect(mergePatch({ a: 1 }, { a: undefined, b: undefined })).toStrictEqual({ a: 1 })
  })

  it("read no name of the language as a member of the target", () => {
    const merged = mergePatch({}, { constructor: { a: 1 }, toString: { b: null } })
    expect(merged).toEqual({ constructor: { a: 1 }, toString: {} })
  })

  it("touch no prototype by a member called `__proto__`", () => {
    const patch: unknown = JSON.parse('{"__proto__":{"admin":true},"a":{"__proto__":{"admin":true}}}')
    for (const target of [{}, { a: {} }, JSON.parse('{"__proto__":{"x":1}}')]) {
      const merged = mergePatch(target, patch) as { a: { admin?: boolean }; admin?: boolean }
      expect(Object.getPrototypeOf(merged)).toBe(Object.prototype)
      expect(Object.getPrototypeOf(merged.a)).toBe(Object.prototype)
      expect([merged.admin, merged.a.admin, ({} as { admin?: boolean }).admin]).toEqual([
        undefined,
        undefined,
        undefined,
      ])
    }
    expect(JSON.stringify(mergePatch(JSON.parse('{"__proto__":1,"a":2}'), JSON.parse('{"__proto__":null}')))).toBe(
      '{"a":2}',
    )
  })
})
