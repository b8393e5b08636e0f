import { type Origin, type Policy, type SourcePhase, showOrigin } from "../../policy/policy.ts"
import type { PolicyLayer } from "../layers.ts"
import type { SettingPath } from "../registry.ts"
import { type Contribution, type InForce, NOT_TRUSTED, type Reported } from "./report.ts"

/** An entry of a list, short enough to be read, and everywhere that it was written. */
interface Listed {
  readonly value: unknown
  readonly origins: readonly Origin[]
}

/** What a policy says of a list; undefined where it says nothing. */
function listedIn(path: SettingPath, policy: Policy): readonly (Listed | null)[] | undefined {
  if (path === "hooks") {
    if (policy.hooks.length === 0 && !policy.noHooks) return undefined
    return policy.hooks.map((hook) => {
      if (hook === null) return null
      const { id, on, phase, action, effect, enabled, origins } = hook
      return { value: { id, on, phase, action: action.kind, effect, enabled }, origins }
    })
  }
  if (path === "ceilings") {
    if (policy.ceilings.length === 0) return undefined
    return policy.ceilings.map(({ origin, ...value }) => ({ value, origins: [origin] }))
  }
  if (path.startsWith("script.")) {
    const lines = policy.script[path.slice("script.".length) as SourcePhase]
    return lines?.map((line) => {
      if (line === null) return null
      return { value: line.file === undefined ? line.value : { file: line.file }, origins: [line.origin] }
    })
  }
  return policy.lists[path]?.map((entry) => entry && { value: entry.value, origins: [entry.origin] })
}

const keyOf = ({ layer, source, line, column }: Origin): string => JSON.stringify([layer, source, line, column])

/** A list whose entries each know where they are from. */
export function listReport(path: SettingPath, { layers, policy }: Reported): InForce {
  const listed = (listedIn(path, policy) ?? []).filter((entry) => entry !== null)
  const kept = new Set(listed.flatMap(({ origins }) => origins.map(keyOf)))
  const contributions = layers.flatMap((layer, at) => {
    const own = listedIn(path, layer.policy)
    return own ? [contribution(layer, own, { kept, by: replacing(path, layers.slice(at + 1)) })] : []
  })
  const top = contributions.findLast(({ state }) => state === "in force" || state === "in part")
  return {
    value: listed.map(({ value }) => value),
    layer: top?.layer ?? "default",
    origin: top?.origin ?? "default",
    entries: listed.map(({ value, origins }) => ({
      value,
      layer: origins[0]!.layer,
      origin: origins.map(showOrigin).join(", "),
    })),
    contributions,
  }
}

/** The first layer above whose list takes the place of those below. */
function replacing(path: SettingPath, above: readonly PolicyLayer[]): string | undefined {
  const over = above.find(({ trusted, policy }) => trusted && listedIn(path, policy)?.includes(null) === false)
  return over && sourceOf(over, listedIn(path, over.policy)!)
}

const sourceOf = ({ layer, policy }: PolicyLayer, own: readonly (Listed | null)[]): string =>
  policy.file ?? own.find((entry) => entry !== null)?.origins[0]?.source ?? layer

function contribution(
  from: PolicyLayer,
  own: readonly (Listed | null)[],
  { kept, by }: { readonly kept: ReadonlySet<string>; readonly by: string | undefined },
): Contribution {
  const entries = own.filter((entry) => entry !== null)
  const left = entries.filter(({ origins }) => origins.some((origin) => kept.has(keyOf(origin))))
  const told = {
    layer: from.layer,
    origin: sourceOf(from, own),
    value: own.map((entry) => (entry === null ? null : entry.value)),
  }
  if (!from.trusted && left.length === 0) return { ...told, ...NOT_TRUSTED }
  if (left.length === entries.length) return { ...told, state: "in force" }
  const why = from.trusted ? by : NOT_TRUSTED.by
  return { ...told, state: left.length === 0 ? "overridden" : "in part", ...(why === undefined ? {} : { by: why }) }
}
