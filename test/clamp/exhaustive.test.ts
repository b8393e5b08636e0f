import { describe, expect, it } from "vitest"
import { clamp } from "../../clamp/clamp.ts"
import { isKey, KEY_NAMES } from "../../effects/keys.ts"
import { LEVEL_NAMES } from "../../effects/levels.ts"
import { PHASE_NAMES } from "../../policy/phases.ts"
import * as oracle from "./oracle.ts"

/** Every phase × effect × caller × daemon × floor × host × limit. */
function* space(): Generator<oracle.OracleInput> {
  const { LEVELS, PHASES } = oracle
  for (const phase of PHASES)
    for (const effect of LEVELS)
      for (const caller of LEVELS)
        for (const daemon of LEVELS)
          for (const floor of LEVELS)
            for (const host of LEVELS)
              for (const limit of LEVELS) yield { phase, effect, caller, daemon, floor, host, limit }
}

/** The first thing that clamp and oracle disagree on, in words; undefined where they agree. */
function disagreement(input: oracle.OracleInput): string | undefined {
  const clamped = clamp(input)
  const effect = oracle.effective(input)
  if (clamped.effect !== effect) return `effect is ${clamped.effect}, not ${effect}`
  const lowered = oracle.clampedBy(input).join("+")
  if ((clamped.clampedBy?.join("+") ?? "") !== lowered) return `clampedBy is ${clamped.clampedBy}, not ${lowered}`
  if (clamped.requested !== (lowered === "" ? undefined : input.effect)) return `requested is ${clamped.requested}`
  for (const key of [...oracle.KEYS, "allow"]) {
    const by = oracle.droppedBy(input, key)?.join("+")
    const drop = clamped.drop(key)
    if (drop?.by.join("+") !== by) return `${key} is dropped by ${drop?.by}, not ${by}`
    if (clamped.permits(key) !== (by === undefined)) return `permits(${key}) and drop(${key}) disagree`
    if (drop && drop.allowed !== effect) return `${key}: allowed is ${drop.allowed}`
    if (drop && (drop.level !== undefined) !== isKey(key)) return `${key}: level is ${drop.level}`
  }
  return undefined
}

describe("the clamp against an oracle", () => {
  it("has the same names as the oracle, in the same order", () => {
    expect(LEVEL_NAMES).toEqual(oracle.LEVELS)
    expect(PHASE_NAMES).toEqual(oracle.PHASES)
    expect(KEY_NAMES).toEqual(oracle.KEYS)
  })

  it("agrees with it on every point of the space", () => {
    let points = 0
    const wrong: string[] = []
    for (const input of space()) {
      points++
      const why = disagreement(input)
      if (why !== undefined && wrong.length < 10) wrong.push(`${JSON.stringify(input)}: ${why}`)
    }
    expect(wrong).toEqual([])
    expect(points).toBe(6 ** 7)
  })

  it("takes the highest level for every ceiling that is not given", () => {
    for (const effect of oracle.LEVELS) expect(clamp({ phase: "before", effect }).effect).toBe(effect)
    expect(clamp({ phase: "before", effect: "run" })).not.toHaveProperty("requested")
  })

  it("takes no name of the language for a key", () => {
    for (const key of ["__proto__", "constructor", "toString", "hasOwnProperty", "", "allow", "off"]) {
      const clamped = clamp({ phase: "before", effect: "run" })
      expect(clamped.permits(key), key).toBe(false)
      expect(clamped.drop(key)).toEqual({ key, allowed: "run", by: ["unknown"] })
    }
  })
})
