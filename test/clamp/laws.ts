import fc from "fast-check"
import type { Clamped } from "../../clamp/clamp.ts"
import * as oracle from "./oracle.ts"
import type { Clamp } from "./rows.ts"

type Input = oracle.OracleInput
type Law = (clamp: Clamp, input: Input) => boolean

const { KEYS, LEVELS, PHASES, stop } = oracle

const level = fc.constantFrom(...LEVELS)

/** Any point of the space. */
export const anyInput: fc.Arbitrary<Input> = fc.record({
  phase: fc.constantFrom(...PHASES),
  effect: level,
  caller: level,
  daemon: level,
  floor: level,
  host: level,
  limit: level,
})

const DIALS = ["effect", "caller", "daemon", "floor", "host", "limit"] as const
const ORDER = ["effect", "phase", "caller", "daemon", "host"]

const stops = (clamped: Clamped): number => stop(clamped.effect)

/** What each voice says, by the name it is reported under. */
const voices = (input: Input): Record<string, number> => ({
  effect: stop(input.effect),
  phase: Math.min({ suffix: 1, observe: 0 }[input.phase as string] ?? 5, stop(input.limit)),
  caller: Math.max(stop(input.caller), stop(input.floor)),
  daemon: stop(input.daemon),
  host: stop(input.host),
})

const below = (input: Input, wanted: number, among = ORDER): string =>
  among.filter((name) => (voices(input)[name] ?? 0) < wanted).join("+")

/** Every way of dealing four levels to four ceilings. */
function* deals<T>(items: readonly T[]): Generator<readonly T[]> {
  if (items.length === 0) yield []
  for (const [at, item] of items.entries()) for (const rest of deals(items.toSpliced(at, 1))) yield [item, ...rest]
}

/** What holds of the clamp at every point; a law's name is the sentence it stands for. */
export const LAWS = Object.freeze({
  "never above any ceiling": (clamp, input) =>
    Object.values(voices(input)).every((ceiling) => stops(clamp(input)) <= ceiling),
  "no lower than the lowest of them": (clamp, input) =>
    stops(clamp(input)) >= Math.min(...Object.values(voices(input))),
  "raising a dial never lowers the level": (clamp, input) =>
    DIALS.every((dial) => {
      const raised = LEVELS[stop(input[dial]) + 1]
      return raised === undefined || stops(clamp({ ...input, [dial]: raised })) >= stops(clamp(input))
    }),
  "clamping what was clamped changes nothing": (clamp, input) => {
    const once = clamp(input).effect
    const twice = clamp({ ...input, effect: once })
    return twice.effect === once && twice.requested === undefined && twice.clampedBy === undefined
  },
  "which ceiling holds which level is irrelevant to the level": (clamp, { phase, effect, ...rest }) => {
    const levels = [rest.caller, rest.daemon, rest.host, rest.limit] as const
    const found = new Set<string>()
    for (const [caller = "off", daemon = "off", host = "off", limit = "off"] of deals(levels)) {
      found.add(clamp({ phase, effect, caller, daemon, host, limit, floor: "off" }).effect)
    }
    return found.size === 1
  },
  "the floor does what a higher caller would, and no more": (clamp, input) => {
    const lifted = stop(input.floor) > stop(input.caller) ? input.floor : input.caller
    return clamp(input).effect === clamp({ ...input, caller: lifted, floor: "off" }).effect
  },
  "a lowering names every ceiling below the request, in order": (clamp, input) => {
    const { requested, clampedBy } = clamp(input)
    const names = below(input, stop(input.effect), ORDER.slice(1))
    return (clampedBy?.join("+") ?? "") === names && requested === (names === "" ? undefined : input.effect)
  },
  "a drop names every voice below the key's level, in order": (clamp, input) =>
    KEYS.every((key) => {
      const wanted = stop(key === "refuse" ? "ask" : key)
      return (clamp(input).drop(key)?.by.join("+") ?? "") === below(input, wanted)
    }),
  "kept plus dropped is what was given": (clamp, input) =>
    [...KEYS, "allow", "__proto__"].every((key) => {
      const { permits, drop } = clamp(input)
      const dropped = drop(key)
      return permits(key) ? dropped === undefined : dropped?.key === key
    }),
} as const satisfies Record<string, Law>)

export type LawName = keyof typeof LAWS
export const LAW_NAMES = Object.keys(LAWS) as LawName[]

/** The laws that a clamp breaks, found in a fixed sample of the space. */
export const broken = (clamp: Clamp): LawName[] =>
  LAW_NAMES.filter((name) => {
    const law: Law = LAWS[name]
    return fc.check(
      fc.property(anyInput, (input) => law(clamp, input)),
      { seed: 1, numRuns: 2000 },
    ).failed
  })
