import { type Level, lowest, rank } from "../../effects/levels.ts"
import { type Policy, type Sourced, showOrigin } from "../../policy/policy.ts"
import { SETTINGS, type Setting, type SettingPath } from "../registry.ts"
import { type Contribution, type InForce, NOT_TRUSTED, type Reported } from "./report.ts"

/** What each layer says of something that it says once. */
function contributionsTo<T>(
  { layers }: Reported,
  said: (policy: Policy) => Sourced<T> | undefined,
  came: (said: Sourced<T>) => Pick<Contribution, "state" | "by">,
): Contribution[] {
  return layers.flatMap(({ layer, trusted, policy }) => {
    const one = said(policy)
    if (one === undefined) return []
    const outcome = trusted ? came(one) : NOT_TRUSTED
    return [{ layer, origin: showOrigin(one.origin), value: one.value, ...outcome }]
  })
}

const same = (a: Sourced<unknown> | undefined, b: Sourced<unknown> | undefined): boolean =>
  a !== undefined &&
  b !== undefined &&
  a.value === b.value &&
  a.origin.layer === b.origin.layer &&
  a.origin.source === b.origin.source

const placed = (said: Sourced<unknown> | undefined): Pick<InForce, "layer" | "origin"> =>
  said === undefined
    ? { layer: "default", origin: "default" }
    : { layer: said.origin.layer, origin: showOrigin(said.origin) }

/** The highest layer's; of what is on where any layer says so, the lowest that does. */
export function scalarReport(path: SettingPath, reported: Reported): InForce {
  const { values, model } = reported.policy
  const said = Object.hasOwn(values, path) ? values[path] : undefined
  const row: Setting = SETTINGS[path]
  // A key and an address stay behind where a higher layer names another provider.
  const isLeft = path.startsWith("model.") && !Object.hasOwn(model, path.slice("model.".length))
  const winner = isLeft ? undefined : said
  const contributions = contributionsTo(
    reported,
    (policy) => (Object.hasOwn(policy.values, path) ? policy.values[path] : undefined),
    (one) => {
      if (same(one, winner)) return { state: "in force" }
      if (isWaiting(reported, row, (policy) => same(policy.values[path], winner))) return WAITING
      if (winner) return { state: "overridden", by: showOrigin(winner.origin) }
      return { state: "left behind", by: "a higher layer names another provider or address" }
    },
  )
  const value = winner?.value ?? row.default
  return { ...(value === undefined ? {} : { value }), ...placed(winner), contributions }
}

const WAITING = Object.freeze({ state: "waiting", by: "a restart" } as const)

/** Whether what is in force is of the daemon's start, and no layer says it any more. */
const isWaiting = ({ layers }: Reported, { hot }: Setting, says: (policy: Policy) => boolean): boolean =>
  !hot && !layers.some(({ trusted, policy }) => trusted && says(policy))

function lowestOf(policy: Policy): Sourced<Level> | undefined {
  return policy.autonomyMax.reduce<Sourced<Level> | undefined>(
    (low, said) => (low === undefined || rank(said.value) < rank(low.value) ? said : low),
    undefined,
  )
}

const shown = (said: Sourced<Level>): string => `autonomy.max (${showOrigin(said.origin)})`

/** The lowest of all layers. */
export function ceilingReport(reported: Reported): InForce {
  const low = lowestOf(reported.policy)
  const top = reported.policy.autonomyMax.at(-1)
  const contributions = contributionsTo(
    reported,
    ({ autonomyMax }) => autonomyMax[0],
    (one) => {
      if (same(one, low)) return { state: "in force" }
      const held = isWaiting(reported, SETTINGS["autonomy.max"], ({ autonomyMax }) => same(autonomyMax[0], low))
      return held ? WAITING : { state: "overridden", by: shown(low!) }
    },
  )
  const isLowered = low && top && rank(top.value) > rank(low.value)
  return {
    value: low?.value ?? SETTINGS["autonomy.max"].default,
    ...placed(low),
    ...(isLowered ? { requested: top.value, clampedBy: shown(low) } : {}),
    contributions,
  }
}

/** The highest layer's, lowered by `autonomy.max`. */
export function autonomyReport(reported: Reported): InForce {
  const said = reported.policy.hooksAutonomy
  const low = lowestOf(reported.policy)
  const requested: Level = said?.value ?? SETTINGS["hooks.autonomy"].default
  const value = low === undefined ? requested : lowest(requested, low.value)
  const isLowered = rank(value) < rank(requested)
  const contributions = contributionsTo(
    reported,
    ({ hooksAutonomy }) => hooksAutonomy,
    (one) => {
      if (!same(one, said)) return { state: "overridden", by: showOrigin(said!.origin) }
      return isLowered ? { state: "lowered", by: shown(low!) } : { state: "in force" }
    },
  )
  return { value, ...placed(said), ...(isLowered ? { requested, clampedBy: shown(low!) } : {}), contributions }
}
