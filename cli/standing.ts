import { clamp } from "../clamp/clamp.ts"
import type { Level } from "../effects/levels.ts"
import type { Stop } from "../engine/daemon.ts"
import { isPoint, pointRow } from "../policy/points.ts"
import { type Hook, type Sourced, showOrigin } from "../policy/policy.ts"

/** The level that a hook has here before any event, and the ceilings that lower it. */
export function standingOf(
  hook: Hook,
  caller: Sourced<Level> | undefined,
  daemon: Stop,
): { readonly level: Level; readonly why: readonly string[] } {
  const { phase, effect, floor, on } = hook
  const limit = (isPoint(on) ? pointRow(on).phases[phase]?.limit : undefined) ?? "run"
  const { effect: level, clampedBy = [] } = clamp({
    phase,
    effect,
    floor,
    caller: caller?.value ?? "run",
    daemon: daemon.level,
    limit,
  })
  const sources = {
    phase: `the phase ${phase}`,
    caller: `hooks.autonomy (${caller ? showOrigin(caller.origin) : "default"})`,
    daemon:
      daemon.source.id === undefined ? daemon.source.origin : `\`${daemon.source.id}\` in ${daemon.source.origin}`,
    host: "the host",
  }
  return { level, why: clampedBy.map((by) => sources[by]) }
}
