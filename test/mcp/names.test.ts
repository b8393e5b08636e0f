import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { mayBeOf, Names, wireName } from "../../mcp/gateway/names.ts"

describe("the name of a tool among those of many servers", () => {
  it("is the pair, joined, where that can be read in one way only", () => {
    expect(wireName("fs", "read_file")).toBe("fs__read_file")
    expect(wireName("my-server", "a__b")).toBe("my-server__a__b")
  })

  it("ends with a hash where another pair could have the same", () => {
    const names = [wireName("acme_", "status"), wireName("acme", "_status"), wireName("my__server", "tool")]
    for (const name of names) expect(name).toMatch(/^[a-z_]+_[0-9a-f]{8}$/)
    expect(new Set(names).size).toBe(3)
  })

  it("is short and plain whatever the pair is, and a function of the pair", () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, unit: "binary" }),
        fc.string({ minLength: 1, unit: "binary" }),
        (server, name) => {
          const wire = wireName(server, name)
          expect(wire).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
          expect(wire).toBe(wireName(server, name))
          expect(mayBeOf(server, wire)).toBe(true)
        },
      ),
    )
  })

  it("is no other pair's", () => {
    const part = fc.string({ minLength: 1, maxLength: 6, unit: fc.constantFrom("a", "_", "-", ".") })
    fc.assert(
      fc.property(part, part, part, part, (a, b, c, d) => {
        fc.pre(a !== c || b !== d)
        expect(wireName(a, b)).not.toBe(wireName(c, d))
      }),
      { numRuns: 2000 },
    )
  })

  it("that two pairs would have is nobody's, in whatever order they come, and is told", () => {
    const one = ["x__y", { server: "x", name: "y" }] as const
    const two = ["x__y", { server: "z", name: "y" }] as const
    for (const pairs of [
      [one, two],
      [two, one],
    ]) {
      const names = new Names(pairs)
      expect(names.of("x__y")).toHaveLength(2)
      expect(names.clashes()).toEqual([
        expect.stringMatching(/`x__y` is the name of `[xz]\/y` and `[xz]\/y`, so neither has it/),
      ])
    }
  })
})
