import { type Level, rank } from "../effects/levels.ts"
import { tightest } from "../policy/budget.ts"
import type { Finding } from "../policy/findings.ts"
import { overModel } from "../policy/model.ts"
import {
  type Hook,
  type Layer,
  type Policy,
  SOURCE_PHASES,
  type Sourced,
  type SourceLine,
  type SourcePhase,
  showOrigin,
} from "../policy/policy.ts"
import type { ModelSettings } from "../policy/prompt.ts"
import { type Combining, combiningOf, SETTINGS, type SettingPath } from "../policy/settings.ts"
import { switched, switchNotice } from "../policy/switch.ts"
import { nearDoublesAcross, onceEach } from "./doubles.ts"
import { NOTHING } from "./nothing.ts"
import { reduceUntrusted } from "./untrusted.ts"

/** One layer: its policy, and whether it may do more than add harmless rules. */
export interface PolicyLayer {
  readonly policy: Policy
  readonly layer: Layer
  readonly trusted: boolean
}

export interface Layered {
  readonly policy: Policy
  /** what is not in force, or is lowered, and why: one sentence each, for a person */
  readonly notices: readonly string[]
}

/**
 * Puts layers together, lowest first.
 *
 * `autonomy.max` and `ceilings` only ever tighten: all that was said is kept. In a list `null` stands for what was
 * inherited, and a list without it replaces that, but for hooks with a floor. A layer that is not trusted is cut down
 * to rules that at most ask, and these are only ever added. The hooks of servers' manifests follow those of all layers,
 * and go with their server where a layer declares another of its name.
 */
export function layerPolicies(layers: readonly PolicyLayer[]): Layered {
  const notices: string[] = []
  let policy: Policy = NOTHING
  for (const layer of layers) {
    if (layer.trusted) {
      policy = overlay(policy, layer.policy)
      continue
    }
    const reduced = reduceUntrusted(layer.policy)
    notices.push(...reduced.notices)
    policy = append(policy, reduced.policy)
  }
  const { file: _, noHooks: __, ...rest } = policy
  const hooks = onceEach(withoutNull(policy.hooks))
  const script = Object.fromEntries(
    SOURCE_PHASES.flatMap((phase) =>
      policy.script[phase] ? [[phase, withoutNull(policy.script[phase])] as const] : [],
    ),
  )
  const lists = Object.fromEntries(Object.entries(policy.lists).map(([path, list]) => [path, withoutNull(list)]))
  const off = switchNotice({ ...policy, hooks })
  notices.push(...(off === undefined ? [] : [off]), ...loweredAutonomy(policy), ...nearDoublesAcross(hooks))
  return { policy: switched({ ...rest, hooks, script, lists }), notices }
}

const withoutNull = <T>(list: readonly (T | null)[]): T[] => list.filter((entry) => entry !== null)

/** A list over the one below it: the first `null` is where the inherited entries go. */
function splice<T>(below: readonly (T | null)[], list: readonly (T | null)[]): (T | null)[] {
  const at = list.indexOf(null)
  return at < 0 ? [...list] : [...list.slice(0, at), ...below, ...withoutNull(list.slice(at + 1))]
}

/** One policy over another, both put together already: `null` is the list below. */
export const overlaid = (below: Policy, above: Policy): Policy => switched(overlay(below, above))

function overlay(below: Policy, above: Policy): Policy {
  return {
    ...append(below, above),
    ...((above.hooksAutonomy ?? below.hooksAutonomy) && { hooksAutonomy: above.hooksAutonomy ?? below.hooksAutonomy! }),
    autonomyMax: [...below.autonomyMax, ...above.autonomyMax],
    ceilings: [...below.ceilings, ...above.ceilings],
    hooks: [...overlayHooks(below, above), ...overlayManifests(below, above)],
    script: overlayScript(below.script, above.script),
    servers: { ...below.servers, ...above.servers },
    model: overlayModel(below.model, above.model),
    values: overlayValues(below.values, above.values),
    lists: overlayLists(below.lists, above.lists),
  }
}

const STAYS: Readonly<Partial<Record<Combining, boolean>>> = Object.freeze({ any: true, all: false })

/** The higher layer wins, but where a setting that is on, or off, anywhere stays so. */
function overlayValues(below: Policy["values"], above: Policy["values"]): Policy["values"] {
  const kept = Object.entries(below).filter(
    ([path, { value }]) => STAYS[combiningOf(SETTINGS[path as SettingPath])] === value,
  )
  return { ...below, ...above, ...Object.fromEntries(kept) }
}

function overlayLists(below: Policy["lists"], above: Policy["lists"]): Policy["lists"] {
  const over = Object.entries(above).map(([path, list]) => {
    const added = combiningOf(SETTINGS[path as SettingPath]) === "union"
    return [path, added ? [...(below[path] ?? []), ...list] : splice(below[path] ?? [], list)] as const
  })
  return { ...below, ...Object.fromEntries(over) }
}

/** A budget only ever tightens, as `autonomy.max` does. */
function overlayModel(below: ModelSettings, above: ModelSettings): ModelSettings {
  const budget = tightest(below.budget, above.budget)
  const prices = below.prices && above.prices ? { ...below.prices, ...above.prices } : undefined
  return { ...overModel(below, above), ...(budget && { budget }), ...(prices && { prices }) }
}

function overlayHooks(below: Policy, above: Policy): (Hook | null)[] {
  const [inherited, list] = [ownHooks(below), ownHooks(above)]
  if (list.length === 0 && !above.noHooks) return inherited
  if (list.includes(null)) return splice(inherited, list)
  // INVARIANT: no layer takes another's floor away (test/settings/layers.test.ts).
  return [...inherited.filter((hook) => hook !== null && hook.floor !== "off"), ...list]
}

const ofManifest = (hook: Hook | null): hook is Hook => hook?.grant !== undefined

/** What the layers themselves declare. */
const ownHooks = ({ hooks }: Policy): (Hook | null)[] => hooks.filter((hook) => !ofManifest(hook))

/** The hooks of the servers that are left: of two of one name, the higher layer's. */
const overlayManifests = (below: Policy, above: Policy): Hook[] => [
  ...below.hooks.filter(ofManifest).filter(({ grant }) => !Object.hasOwn(above.servers, grant!.server)),
  ...above.hooks.filter(ofManifest),
]

function overlayScript(below: Policy["script"], above: Policy["script"]): Policy["script"] {
  const merged: Partial<Record<SourcePhase, readonly (SourceLine | null)[]>> = { ...below }
  for (const phase of SOURCE_PHASES) {
    const lines = above[phase]
    if (lines) merged[phase] = splice(below[phase] ?? [], lines)
  }
  return merged
}

/** Adds what any layer may add: its hooks, its warnings, its need of the regex engine. */
const append = (below: Policy, above: Policy): Policy => ({
  ...below,
  hooks: [...ownHooks(below), ...above.hooks, ...below.hooks.filter(ofManifest)],
  needsRegex: below.needsRegex || above.needsRegex,
  warnings: [...below.warnings, ...above.warnings] satisfies Finding[],
})

/** What was said of a level and is not in force, since a lower one stands against it. */
function loweredAutonomy({ hooksAutonomy, autonomyMax }: Policy): string[] {
  const notices: string[] = []
  let lowest: Sourced<Level> | undefined
  const notice = (name: string, said: Sourced<Level>): void => {
    if (lowest === undefined || rank(said.value) <= rank(lowest.value)) return
    const asked = `\`${name}: ${said.value}\` (${showOrigin(said.origin)})`
    notices.push(`${asked} is lowered to \`${lowest.value}\` by \`autonomy.max\` (${showOrigin(lowest.origin)})`)
  }
  for (const said of autonomyMax) {
    // A lower level that comes later is what a layer is there to say.
    notice("autonomy.max", said)
    if (lowest === undefined || rank(said.value) < rank(lowest.value)) lowest = said
  }
  if (hooksAutonomy !== undefined) notice("hooks.autonomy", hooksAutonomy)
  return notices
}
