import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { clamp } from "../../clamp/clamp.ts"
import { cut } from "../../clamp/cut.ts"
import { KEY_NAMES } from "../../effects/keys.ts"
import { anyInput } from "./laws.ts"

/** Values that fit their keys in `before`, and keys that are none. */
const GIVEN = {
  advise: "look",
  ask: "sure?",
  refuse: "no",
  propose: { input: { a: 1 } },
  apply: { input: { a: 2 } },
  run: { argv: ["true"] },
  allow: true,
  constructor: 1,
} as const

const someKeys = fc.subarray(Object.keys(GIVEN) as (keyof typeof GIVEN)[])

describe("a hook's output, cut", () => {
  it("is, kept and dropped together, what was given", () => {
    fc.assert(
      fc.property(anyInput, someKeys, (input, keys) => {
        const { kept, dropped } = cut(Object.fromEntries(keys.map((key) => [key, GIVEN[key]])), clamp(input), "before")
        const names = [...Object.keys(kept ?? {}), ...dropped.map((drop) => drop.key)]
        expect(names.sort()).toEqual([...keys].sort())
      }),
    )
  })

  it("keeps no key that the clamp does not permit", () => {
    fc.assert(
      fc.property(anyInput, someKeys, (input, keys) => {
        const clamped = clamp(input)
        const { kept } = cut(Object.fromEntries(keys.map((key) => [key, GIVEN[key]])), clamped, "before")
        expect(Object.keys(kept ?? {}).filter((key) => !clamped.permits(key))).toEqual([])
      }),
    )
  })

  it("drops keys first: a value that does not fit its key does no harm where the key is dropped", () => {
    const raw = { advise: "look", apply: 7 }
    const low = cut(raw, clamp({ phase: "before", effect: "advise" }), "before")
    expect(low.kept).toEqual({ advise: [{ text: "look" }] })
    expect(low.dropped).toEqual([{ key: "apply", level: "apply", allowed: "advise", by: ["effect"] }])
    expect(cut(raw, clamp({ phase: "before", effect: "apply" }), "before").kept).toBeUndefined()
  })

  it("says of a key that lost to a refusal that it did", () => {
    const { kept, dropped } = cut(
      { refuse: "no", ask: "sure?", advise: "look" },
      clamp({ phase: "before", effect: "run" }),
      "before",
    )
    expect(Object.keys(kept ?? {}).sort()).toEqual(["advise", "refuse"])
    expect(dropped).toEqual([{ key: "ask", level: "ask", allowed: "run", by: ["refused"] }])
  })

  it("drops a key that is no level, at every level", () => {
    for (const effect of ["off", "run"] as const) {
      const { kept, dropped } = cut({ allow: true }, clamp({ phase: "before", effect }), "before")
      expect(kept).toEqual({})
      expect(dropped).toEqual([{ key: "allow", allowed: effect, by: ["unknown"] }])
    }
    expect(KEY_NAMES).not.toContain("allow")
  })
})
