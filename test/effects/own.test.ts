import { describe, expect, test } from "vitest"
import { ownMember, pathReader, readerOf, readPath } from "../../effects/own.ts"

describe("own members", () => {
  test("an object's prototype is not read through its own name", () => {
    expect(readerOf("__proto__")({ a: 1 })).toBeUndefined()
    expect(pathReader("args.__proto__.constructor")({ args: {} })).toBeUndefined()
    expect(readPath({ args: {} }, "args.__proto__")).toBeUndefined()
  })

  test("a member that is called so is its own like any other", () => {
    const parsed = JSON.parse('{"__proto__":"mine"}') as object
    expect(readerOf("__proto__")(parsed)).toBe("mine")
    expect(ownMember(parsed, "__proto__")).toBe("mine")
  })
})
