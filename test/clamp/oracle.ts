/**
 * The clamp written the slow, obvious way: walk the dial down from the top until nobody objects.
 *
 * It shares nothing with clamp/ or its tables, so that a wrong row there cannot hide here.
 */
export const LEVELS = ["off", "advise", "ask", "propose", "apply", "run"] as const
export const PHASES = ["before", "prefix", "onSuccess", "onError", "suffix", "observe"] as const
export const KEYS = ["advise", "ask", "refuse", "propose", "apply", "run"] as const

export type OracleLevel = (typeof LEVELS)[number]
export type OraclePhase = (typeof PHASES)[number]

export interface OracleInput {
  readonly phase: OraclePhase
  readonly effect: OracleLevel
  readonly caller: OracleLevel
  readonly daemon: OracleLevel
  readonly floor: OracleLevel
  readonly host: OracleLevel
  readonly limit: OracleLevel
}

/** The stop a level has on the dial: 0 for `off` to 5 for `run`. */
export const stop = (level: OracleLevel): number => LEVELS.indexOf(level)

const ofPhase = (phase: OraclePhase): OracleLevel => {
  if (phase === "suffix") return "advise"
  if (phase === "observe") return "off"
  return "run"
}

const ofKey = (key: string): OracleLevel | undefined => {
  if (key === "refuse") return "ask"
  return KEYS.some((known) => known === key) ? (key as OracleLevel) : undefined
}

/** Everyone whose word is below `wanted`, in the order of the report. */
function objections(input: OracleInput, wanted: OracleLevel): string[] {
  const names: string[] = []
  if (stop(input.effect) < stop(wanted)) names.push("effect")
  if (stop(ofPhase(input.phase)) < stop(wanted) || stop(input.limit) < stop(wanted)) names.push("phase")
  if (stop(input.caller) < stop(wanted) && stop(input.floor) < stop(wanted)) names.push("caller")
  if (stop(input.daemon) < stop(wanted)) names.push("daemon")
  if (stop(input.host) < stop(wanted)) names.push("host")
  return names
}

/** The effective level. */
export function effective(input: OracleInput): OracleLevel {
  for (const level of [...LEVELS].reverse()) if (objections(input, level).length === 0) return level
  return "off"
}

/** Every ceiling below the hook's own level. */
export const clampedBy = (input: OracleInput): string[] => objections(input, input.effect)

/** Why a key is dropped; undefined for one that is kept. */
export function droppedBy(input: OracleInput, key: string): string[] | undefined {
  const level = ofKey(key)
  if (level === undefined) return ["unknown"]
  const names = objections(input, level)
  return names.length === 0 ? undefined : names
}
