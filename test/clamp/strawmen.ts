import { CEILINGS, type Ceiling, type Clamped, type ClampInput, clamp, type Dropped } from "../../clamp/clamp.ts"
import { isKey, levelOf } from "../../effects/keys.ts"
import { highest, type Level, rank, reaches } from "../../effects/levels.ts"
import { PHASES } from "../../policy/phases.ts"
import type { Clamp } from "./rows.ts"

/** A clamp's answer for a level that was come by in some other way; its report stays honest about the voices. */
function answer(input: ClampInput, effect: Level, names: readonly Ceiling[] = CEILINGS): Clamped {
  const voices: Record<Ceiling, Level> = {
    phase: PHASES[input.phase].ceiling,
    caller: highest(input.caller ?? "run", input.floor ?? "off"),
    daemon: input.daemon ?? "run",
    host: input.host ?? "run",
  }
  const below = (level: Level) => names.filter((name) => !reaches(voices[name], level))
  const permits = (key: string) => isKey(key) && reaches(effect, levelOf(key))
  const drop = (key: string): Dropped | undefined => {
    if (!isKey(key)) return { key, allowed: effect, by: ["unknown"] }
    if (permits(key)) return undefined
    const level = levelOf(key)
    return {
      key,
      level,
      allowed: effect,
      by: [...(reaches(input.effect, level) ? [] : ["effect" as const]), ...below(level)],
    }
  }
  const base = { effect, permits, drop }
  const clampedBy = below(input.effect)
  return clampedBy.length > 0 ? { ...base, requested: input.effect, clampedBy } : base
}

const swapped: readonly Ceiling[] = ["phase", "daemon", "caller", "host"]

/** Clamps that are wrong, each in one way that a hasty hand could write. */
export const STRAWMEN = Object.freeze({
  "grants all": (input) => answer(input, "run"),
  "grants nothing": (input) => answer(input, "off"),
  "forgets the caller": (input) => clamp({ ...input, caller: "run" }),
  "lets the floor lift the daemon": (input) =>
    clamp({ ...input, daemon: highest(input.daemon ?? "run", input.floor ?? "off") }),
  "forgets the floor": (input) => clamp({ ...input, floor: "off" }),
  "swaps the order of the report": (input) => {
    const right = clamp(input)
    const order = (by: readonly string[]) =>
      [...by].sort((a, b) => swapped.indexOf(a as Ceiling) - swapped.indexOf(b as Ceiling))
    const drop = (key: string) => {
      const dropped = right.drop(key)
      return dropped && ({ ...dropped, by: order(dropped.by) } as Dropped)
    }
    return right.clampedBy ? { ...right, clampedBy: order(right.clampedBy) as Ceiling[], drop } : { ...right, drop }
  },
  "raises instead of lowers": (input) => {
    const { effect, caller = "run", daemon = "run", host = "run" } = input
    return answer(input, highest(effect, caller, daemon, host))
  },
  "refuses what it should lower": (input) => {
    const { effect, requested } = clamp(input)
    return answer(input, requested === undefined ? effect : "off")
  },
  "lets a drop go unsaid": (input) => ({ ...clamp(input), drop: () => undefined }),
  "knows six phases but cuts in none": (input) => clamp({ ...input, phase: "before" }),
  "is off by one for refuse": (input) => {
    const right = clamp(input)
    return { ...right, permits: (key) => (key === "refuse" ? rank(right.effect) >= 1 : right.permits(key)) }
  },
} as const satisfies Record<string, Clamp>)

export type Strawman = keyof typeof STRAWMEN
