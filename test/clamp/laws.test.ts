import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type ClampInput, clamp } from "../../clamp/clamp.ts"
import { anyInput, LAW_NAMES, LAWS } from "./laws.ts"

describe("the laws of the clamp", () => {
  for (const name of LAW_NAMES) {
    it(name, () => {
      fc.assert(
        fc.property(anyInput, (input) => LAWS[name](clamp, input)),
        { numRuns: 500 },
      )
    })
  }
})

describe("what the clamp does not know", () => {
  const good: ClampInput = { phase: "before", effect: "ask" }
  const DIALS = ["effect", "caller", "daemon", "floor", "host", "limit"] as const

  for (const dial of DIALS) {
    it(`is an error that names it, the dial and the levels, for ${dial}`, () => {
      for (const wrong of ["RUN", "allow", "", "toString", "__proto__", 5, null, ["run"]]) {
        const call = () => clamp({ ...good, [dial]: wrong } as ClampInput)
        expect(call, String(wrong)).toThrow(RangeError)
        expect(call).toThrow(`unknown level \`${wrong}\` for ${dial}`)
        expect(call).toThrow("off, advise, ask, propose, apply, run")
      }
    })
  }

  it("is an error for an effect that is missing", () => {
    expect(() => clamp({ phase: "before" } as ClampInput)).toThrow("unknown level `undefined` for effect")
  })

  it("is an error that names it and the six phases, for the phase", () => {
    for (const wrong of ["after", "onsuccess", "", "constructor", undefined, null]) {
      const call = () => clamp({ ...good, phase: wrong } as unknown as ClampInput)
      expect(call, String(wrong)).toThrow(RangeError)
      expect(call).toThrow(`unknown phase \`${wrong}\``)
      expect(call).toThrow("before, prefix, onSuccess, onError, suffix, observe")
    }
  })
})
