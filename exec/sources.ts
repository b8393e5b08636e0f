import { type Level, reaches } from "../effects/levels.ts"
import type { CeilingSource } from "../frames/frames.ts"
import {
  type Layer,
  type Origin,
  SOURCE_PHASES,
  type Sourced,
  type SourceLine,
  type SourcePhase,
  showOrigin,
} from "../policy/policy.ts"

/** The layers whose lines the caller wrote itself. A daemon, whose start flags are not its callers', names `call` alone. */
export const OWN_LAYERS: readonly Layer[] = Object.freeze(["flags", "call"] as const)

type Lines = Readonly<Partial<Record<SourcePhase, readonly (SourceLine | null)[]>>>

export interface SourceChoice {
  /** the policy's and the environment's lines, layered */
  readonly lines?: Lines
  /** what the command or the call itself gives: follows the others, never replaces them */
  readonly command?: Lines
  /** the caller's `hooks.autonomy` */
  readonly caller?: Sourced<Level>
  /** every daemon ceiling in force: `autonomy.max` of each layer, and the `ceilings` that match */
  readonly daemon?: readonly (Sourced<Level> & { readonly id?: string; readonly reason?: string })[]
  /** default {@link OWN_LAYERS} */
  readonly own?: readonly Layer[]
}

/** The lines that one call brings along: they follow all others, and replace none. */
export function linesOfCall(
  script: Readonly<Partial<Record<string, string | readonly string[]>>>,
  source: string,
): Lines {
  const origin: Origin = { layer: "call", source }
  return Object.fromEntries(
    SOURCE_PHASES.flatMap((phase) => {
      const said = script[phase]
      return said === undefined ? [] : [[phase, [said].flat().map((value) => ({ value, origin }))] as const]
    }),
  )
}

export interface SkippedSource {
  readonly phase: SourcePhase
  readonly origin: Origin
  readonly text: string
  /** every ceiling below `run` */
  readonly ceilings: readonly (CeilingSource & { readonly level: Level })[]
}

export interface SelectedSources {
  readonly phases: Readonly<Partial<Record<SourcePhase, readonly SourceLine[]>>>
  readonly skipped: readonly SkippedSource[]
}

/**
 * Which lines run inside the script.
 *
 * A source hook's effect is `run`, whatever its phase. Lines of configuration or environment need the caller's and the
 * daemon's level at `run`, else they are skipped; the caller's own lines are its own code and are not clamped.
 */
export function selectSources(choice: SourceChoice): SelectedSources {
  const own = choice.own ?? OWN_LAYERS
  const ceilings = below(choice)
  const phases: Partial<Record<SourcePhase, SourceLine[]>> = {}
  const skipped: SkippedSource[] = []
  for (const phase of SOURCE_PHASES) {
    for (const line of [...(choice.lines?.[phase] ?? []), ...(choice.command?.[phase] ?? [])]) {
      if (line === null) continue
      if (ceilings.length > 0 && !own.includes(line.origin.layer)) {
        skipped.push({ phase, origin: line.origin, text: line.value, ceilings })
        continue
      }
      const kept = phases[phase] ?? []
      kept.push(line)
      phases[phase] = kept
    }
  }
  return { phases, skipped }
}

function below(choice: SourceChoice): SkippedSource["ceilings"] {
  const found: (CeilingSource & { level: Level })[] = []
  if (choice.caller && !reaches(choice.caller.value, "run")) {
    found.push({ by: "caller", level: choice.caller.value, origin: showOrigin(choice.caller.origin) })
  }
  for (const { value, origin, id, reason } of choice.daemon ?? []) {
    if (reaches(value, "run")) continue
    const named = { ...(id === undefined ? {} : { id }), ...(reason === undefined ? {} : { reason }) }
    found.push({ by: "daemon", level: value, origin: showOrigin(origin), ...named })
  }
  return found
}

/** `skipped script.prefix from detent.yaml:3: it needs run, and the caller's level is ask (--hooks-autonomy)`. */
export function showSkipped(skipped: SkippedSource): string {
  const why = skipped.ceilings.map(({ by, level, origin, id, reason }) => {
    const place = id === undefined ? origin : `\`${id}\` in ${origin}`
    return `the ${by}'s level is ${level} (${place})${reason === undefined ? "" : `: ${reason}`}`
  })
  return `skipped script.${skipped.phase} from ${showOrigin(skipped.origin)}: it needs run, and ${why.join(", and ")}`
}
