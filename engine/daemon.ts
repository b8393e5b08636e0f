import type { JsonObject } from "../effects/json.ts"
import { type Level, rank } from "../effects/levels.ts"
import type { CeilingSource } from "../frames/frames.ts"
import { compileTest } from "../policy/logic/compile.ts"
import { type CeilingEntry, type Hook, type Policy, type Sourced, showOrigin } from "../policy/policy.ts"

interface CompiledCeiling {
  readonly entry: CeilingEntry
  /** a condition that cannot be evaluated matches: a ceiling never opens by accident */
  matches(event: JsonObject): boolean
}

/** A level and what said it. */
export interface Stop {
  readonly level: Level
  readonly source: CeilingSource
}

/** The daemon's part of the clamp for one hook: what comes with a server stands under its grant, too. */
export function stopFor({ grant }: Hook, stop: Stop): Stop {
  if (grant === undefined || rank(grant.max) >= rank(stop.level)) return stop
  const origin = `servers.${grant.server}.grant (${showOrigin(grant.origin)})`
  return { level: grant.max, source: { by: "daemon", origin } }
}

/** The daemon's part of the clamp: the lowest `autonomy.max`, and the ceilings that may lower it further. */
export class DaemonCeilings {
  readonly base: Stop
  readonly #ceilings: readonly CompiledCeiling[]

  constructor(policy: Policy, more: readonly Sourced<Level>[]) {
    this.base = lowestOf([...policy.autonomyMax, ...more])
    this.#ceilings = policy.ceilings.map(compileCeiling)
  }

  /** The lowest of `from` and every ceiling that matches this version of the event. */
  lower(from: Stop, event: JsonObject): Stop {
    let stop = from
    for (const { entry, matches } of this.#ceilings) {
      if (rank(entry.max) < rank(stop.level) && matches(event)) stop = stopOf(entry)
    }
    return stop
  }
}

const compileCeiling = (entry: CeilingEntry): CompiledCeiling => {
  if (entry.if === undefined) return { entry, matches: () => true }
  const test = compileTest(entry.if)
  const matches = (event: JsonObject) => {
    try {
      return test(event)
    } catch {
      return true
    }
  }
  return { entry, matches }
}

const stopOf = ({ id, max, reason, origin }: CeilingEntry): Stop => ({
  level: max,
  source: {
    by: "daemon",
    ...(id === undefined ? {} : { id }),
    ...(reason === undefined ? {} : { reason }),
    origin: `ceilings (${showOrigin(origin)})`,
  },
})

function lowestOf(said: readonly Sourced<Level>[]): Stop {
  let stop: Stop = { level: "run", source: { by: "daemon", origin: "autonomy.max (default)" } }
  for (const { value, origin } of said) {
    if (rank(value) >= rank(stop.level)) continue
    stop = { level: value, source: { by: "daemon", origin: `autonomy.max (${showOrigin(origin)})` } }
  }
  return stop
}
