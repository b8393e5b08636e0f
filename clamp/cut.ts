import type { JsonObject } from "../effects/json.ts"
import { isKey, levelOf } from "../effects/keys.ts"
import { normalise } from "../effects/normalise.ts"
import type { Output } from "../effects/outputs.ts"
import type { Phase } from "../policy/phases.ts"
import type { Cause, Clamped, Dropped } from "./clamp.ts"

/** A hook's output, cut down: what is honoured, and every key that is not. */
export interface Cut {
  /** undefined where a kept key's value does not fit: then the hook has failed, and nothing of it counts */
  readonly kept: Output | undefined
  readonly dropped: readonly Dropped[]
}

/**
 * Keeps what the clamp permits, in two steps: keys are dropped first, and only the values of kept keys must fit.
 *
 * @param raw one JSON object, unchecked
 */
export function cut(raw: JsonObject, clamped: Clamped, phase: Phase): Cut {
  const dropped: Dropped[] = []
  const kept: Record<string, unknown> = {}
  let fits = true
  for (const key of Object.keys(raw)) {
    const value = raw[key]
    if (value === undefined) continue
    const drop = clamped.drop(key)
    if (drop) {
      dropped.push(drop)
      continue
    }
    const fitting = isKey(key) ? normalise(key, value, phase) : { ok: false as const }
    if (fitting.ok) kept[key] = fitting.value
    else fits = false
  }
  if (!fits) return { kept: undefined, dropped }
  for (const loser of losers(kept as Output)) {
    dropped.push(dropOf(loser, clamped, "refused"))
    delete kept[loser]
  }
  return { kept: kept as Output, dropped }
}

/** A key that the level permits and something else does not. */
export const dropOf = (key: keyof Output, clamped: Clamped, by: Cause): Dropped => ({
  key,
  level: levelOf(key),
  allowed: clamped.effect,
  by: [by],
})

/** `refuse` beats `ask` beats a retry beats a replacement; advice and proposals stand beside all of them. */
function losers(kept: Output): (keyof Output)[] {
  const strongest = kept.refuse ? 0 : kept.ask ? 1 : kept.run?.retry ? 2 : 3
  const order = [["ask", "run", "apply"], ["run", "apply"], ["apply"], []] as const
  return order[strongest]!.filter((key) => kept[key] !== undefined)
}
