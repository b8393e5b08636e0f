import { isKey, KEYS, type Key } from "../effects/keys.ts"
import { highest, isLevel, LEVEL_NAMES, type Level, lowest, rank } from "../effects/levels.ts"
import { isPhase, PHASE_NAMES, PHASES, type Phase } from "../policy/phases.ts"

/** What may lower a hook, in the order in which it is reported. */
export const CEILINGS = Object.freeze(["phase", "caller", "daemon", "host"] as const)
export type Ceiling = (typeof CEILINGS)[number]

/** Why a key was dropped: a stop on the dial, or one of the reasons that are no level. */
export type Cause =
  | "effect"
  | Ceiling
  /** the key is no level of the dial */
  | "unknown"
  /** it lost to a stronger key, or to a refusal */
  | "refused"
  /** a `run` that the hook's own `may` does not name */
  | "may"
  /** a `run` by a caller without the `exec` scope */
  | "scope"
  /** seen again after a rewrite, where only `ask` and `refuse` count */
  | "recheck"

/** A key of a hook's output that was not honoured, and why. */
export interface Dropped {
  readonly key: string
  /** the level the key needs; absent for a key that is no level */
  readonly level?: Level
  /** the hook's effective level */
  readonly allowed: Level
  readonly by: readonly Cause[]
}

export interface ClampInput {
  readonly phase: Phase
  /** the hook's own effect */
  readonly effect: Level
  /** what the caller asked for: its `hooks.autonomy`, before `autonomy.max` lowers it */
  readonly caller?: Level
  /** the daemon's `autonomy.max`, lowered by the `ceilings` that match */
  readonly daemon?: Level
  /** lifts the caller's ceiling and nothing else */
  readonly floor?: Level
  /** what an outside agent can carry */
  readonly host?: Level
  /** the point's own limit in this phase, where it is below the phase's */
  readonly limit?: Level
}

export interface Clamped {
  /** the level in force */
  readonly effect: Level
  /** the hook's own level, where something lowered it */
  readonly requested?: Level
  /** every ceiling below the requested level, where there is one */
  readonly clampedBy?: readonly Ceiling[]
  /** whether an output key is honoured */
  permits(key: string): boolean
  /** how a key that is not honoured is reported; undefined for one that is */
  drop(key: string): Dropped | undefined
}

// What is absent gets a default; a `null` that came from some JSON does not, since the default is the whole dial.
const known = (what: string, value: unknown, absent?: Level): Level => {
  if (value === undefined && absent !== undefined) return absent
  if (isLevel(value)) return value
  throw new RangeError(`unknown level \`${String(value)}\` for ${what}; the levels are ${LEVEL_NAMES.join(", ")}`)
}

/**
 * Cuts a hook down to what every ceiling permits.
 *
 * A level above a ceiling is lowered, never refused; what was lowered, and by what, is in the answer.
 *
 * @throws RangeError on an unknown level or phase: never a silent default.
 */
export function clamp(input: ClampInput): Clamped {
  if (!isPhase(input.phase)) {
    throw new RangeError(`unknown phase \`${String(input.phase)}\`; the phases are ${PHASE_NAMES.join(", ")}`)
  }
  const requested = known("effect", input.effect)
  const ceilings: Record<Ceiling, Level> = {
    phase: lowest(PHASES[input.phase].ceiling, known("limit", input.limit, "run")),
    caller: highest(known("caller", input.caller, "run"), known("floor", input.floor, "off")),
    daemon: known("daemon", input.daemon, "run"),
    host: known("host", input.host, "run"),
  }
  // INVARIANT: never above any ceiling (test/clamp/laws.test.ts).
  const effect = lowest(requested, ceilings.phase, ceilings.caller, ceilings.daemon, ceilings.host)
  const below = (level: Level): Ceiling[] => CEILINGS.filter((by) => rank(ceilings[by]) < rank(level))
  const permits = (key: string): boolean => isKey(key) && rank(KEYS[key].level) <= rank(effect)
  const drop = (key: string): Dropped | undefined => {
    if (!isKey(key)) return { key, allowed: effect, by: ["unknown"] }
    if (permits(key)) return undefined
    const level: Level = KEYS[key as Key].level
    const by: Cause[] = rank(requested) < rank(level) ? ["effect", ...below(level)] : below(level)
    return { key, level, allowed: effect, by }
  }
  const clampedBy = below(requested)
  return clampedBy.length > 0 ? { effect, requested, clampedBy, permits, drop } : { effect, permits, drop }
}
