import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { canonicalJson, copyJson, isObject, parseJson, put, sameJson, withoutMark } from "../../effects/json.ts"
import { isJson } from "../../effects/plain.ts"

const MARK = "\uFEFF"

/** JSON values, with `__proto__` among the names, as JSON.parse would make them. */
const anyJson = fc.json({ maxDepth: 4 }).map((text): unknown => JSON.parse(text))

describe("reading JSON", () => {
  it("reads what JSON.parse reads", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        if (JSON.stringify(value).includes('"__proto__":')) return
        expect(parseJson(JSON.stringify(value))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  it("drops one byte-order mark at the start, and no other", () => {
    expect(parseJson(`${MARK}{"a":"${MARK}b"}`)).toEqual({ a: `${MARK}b` })
    expect(withoutMark(`${MARK}${MARK}x`)).toBe(`${MARK}x`)
    expect(() => parseJson(`${MARK}${MARK}{}`)).toThrow(SyntaxError)
    expect(() => parseJson(MARK)).toThrow(SyntaxError)
  })

  it("refuses a key that is written twice in one object, however it is spelt", () => {
    const twice = [
      '{"a":1,"a":1}',
      '{"a":1, "\\u0061" : 2}',
      '[{"b":{"a":[],"c":0,"a":{}}}]',
      '{"a":{"x":1},"a":2}',
      '{"a":"}","a":2}',
      '{"a"\n:1,"a"\t:2}',
    ]
    for (const text of twice) expect(() => parseJson(text), text).toThrow("the key `a` is written twice in one object")
  })

  it("takes one key in several objects, and strings that look like keys", () => {
    const fine = [
      '[{"a":1},{"a":2}]',
      '{"a":{"a":{"a":1}}}',
      '{"a":"a","b":"a"}',
      '{"a":["a","a"],"b":"{\\"a\\":1,\\"a\\":2}"}',
      '{"":1," ":2}',
      '{"a\\\\":1,"a\\"":2,"a":3}',
    ]
    for (const text of fine) expect(parseJson(text), text).toEqual(JSON.parse(text))
  })

  it("refuses `__proto__` as a key, however it is spelt, and takes it as a value", () => {
    expect(() => parseJson('{"__proto__":{"admin":true}}')).toThrow("the key `__proto__` is not allowed")
    expect(() => parseJson('[{"\\u005f_proto__":1}]')).toThrow("the key `__proto__` is not allowed")
    expect(parseJson('["__proto__",{"a":"__proto__"}]')).toEqual(["__proto__", { a: "__proto__" }])
    expect(parseJson('{"constructor":1,"toString":2}')).toEqual({ constructor: 1, toString: 2 })
  })

  it("refuses nesting that would overflow a stack, and takes as much as an output may have", () => {
    const deep = (levels: number) => "[".repeat(levels) + "]".repeat(levels)
    expect(isJson(parseJson(deep(256)))).toBe(true)
    for (const text of [deep(257), deep(100_000), `{"a":${deep(256)}}`]) {
      expect(() => parseJson(text)).toThrow("it is nested more than 256 levels deep")
    }
    expect(parseJson(JSON.stringify({ text: "[".repeat(1000) }))).toEqual({ text: "[".repeat(1000) })
  })

  it("refuses a number that would become infinite, which no reader after us would see as it was written", () => {
    for (const number of ["1e400", "-1E+999", "9".repeat(310), `1${"0".repeat(400)}.5`]) {
      expect(() => parseJson(`{"a":[1,${number}]}`), number).toThrow("a number in it is too large")
    }
    const fine = "[1e308,-1.5e-400,0,-0,123456789012345680000,5e-324]"
    expect(parseJson(fine)).toEqual(JSON.parse(fine))
    expect(parseJson('{"1e400":"1e400"}')).toEqual({ "1e400": "1e400" })
  })

  it("ends on broken text", () => {
    for (const text of ["", "{", '{"a":1,}', '"a', "{'a':1}", "nul", '{"a":1}{"a":1}']) {
      expect(() => parseJson(text), text).toThrow(SyntaxError)
    }
  })
})

describe("copies", () => {
  it("are equal and share no object with what was copied", () => {
    const shared = (a: unknown, b: unknown): boolean =>
      typeof a === "object" && a !== null
        ? a === b || Object.keys(a).some((key) => shared((a as never)[key], (b as never)[key]))
        : false
    fc.assert(
      fc.property(anyJson, (value) => {
        const copy = copyJson(value)
        expect(canonicalJson(copy)).toBe(canonicalJson(value))
        expect(shared(value, copy)).toBe(false)
      }),
    )
  })

  it("leave out what is no JSON, as JSON.stringify does", () => {
    const value = { a: 1, b: undefined, c: () => 1, d: Symbol("d"), e: [undefined, () => 1, 2], f: null }
    expect(Object.keys(copyJson(value))).toEqual(["a", "e", "f"])
    expect(copyJson(value)).toEqual({ a: 1, e: [null, null, 2], f: null })
  })

  it("keep a member called `__proto__` a member", () => {
    const copy = copyJson(JSON.parse('{"a":{"__proto__":{"admin":true}}}') as { a: object })
    expect(Object.getPrototypeOf(copy.a)).toBe(Object.prototype)
    expect(Object.keys(copy.a)).toEqual(["__proto__"])
    expect((copy.a as { admin?: boolean }).admin).toBeUndefined()
    expect(({} as { admin?: boolean }).admin).toBeUndefined()
  })

  it("put sets an own member under any name", () => {
    const object = {}
    put(object, "__proto__", { admin: true })
    put(object, "a", 1)
    expect(JSON.stringify(object)).toBe('{"__proto__":{"admin":true},"a":1}')
    expect(Object.getPrototypeOf(object)).toBe(Object.prototype)
  })
})

describe("sameness and canonical text", () => {
  it("agree with each other on any two values", () => {
    fc.assert(
      fc.property(anyJson, anyJson, (a, b) => {
        expect(sameJson(a, b)).toBe(canonicalJson(a) === canonicalJson(b))
        expect(sameJson(a, copyJson(a))).toBe(true)
      }),
    )
  })

  it("look past the order of keys, and not past that of items", () => {
    expect(sameJson({ a: 1, b: [{ c: 2, d: 3 }] }, { b: [{ d: 3, c: 2 }], a: 1 })).toBe(true)
    expect(sameJson([1, 2], [2, 1])).toBe(false)
  })

  it("tell apart what is easily taken for the same", () => {
    const pairs: [unknown, unknown][] = [
      [[], {}],
      [null, {}],
      [null, undefined],
      [0, false],
      ["1", 1],
      ["", null],
      [{ a: null }, {}],
      [{ a: 1 }, { b: 1 }],
      [{ toString: 1 }, { a: 1 }],
      [[1], [1, 2]],
      [JSON.parse('{"__proto__":1}'), {}],
      [JSON.parse('{"__proto__":{}}'), { a: 1 }],
    ]
    for (const [a, b] of pairs) {
      expect(sameJson(a, b), JSON.stringify([a, b])).toBe(false)
      expect(sameJson(b, a), JSON.stringify([b, a])).toBe(false)
    }
  })

  it("write keys in code-unit order, without spaces", () => {
    expect(canonicalJson({ b: 1, a: [true, null, "x"], "\u{1F600}": 0, "\uFB33": 0, A: {} })).toBe(
      '{"A":{},"a":[true,null,"x"],"b":1,"\u{1F600}":0,"\uFB33":0}',
    )
    expect(canonicalJson({ 10: "a", 9: "b" })).toBe('{"10":"a","9":"b"}')
  })

  it("write JSON even of what is none", () => {
    for (const value of [undefined, () => 1, Symbol("s"), Number.NaN]) expect(canonicalJson(value)).toBe("null")
    expect(canonicalJson({ a: undefined, b: () => 1, c: [undefined, () => 1] })).toBe('{"c":[null,null]}')
  })

  it("write text that reads back as the same value", () => {
    fc.assert(fc.property(anyJson, (value) => sameJson(JSON.parse(canonicalJson(value)), value)))
  })
})

describe("what an object is", () => {
  it("is neither null nor an array", () => {
    expect([{}, Object.create(null), { a: 1 }].every(isObject)).toBe(true)
    expect([null, [], "a", 1, true, undefined, () => 1].some(isObject)).toBe(false)
  })
})
