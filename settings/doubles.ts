import { canonicalJson } from "../effects/json.ts"
import { type Hook, showOrigin } from "../policy/policy.ts"
import { sameness } from "../policy/sameness.ts"

/**
 * Entries that are equal in all but origin become one, in the first one's place, with all their origins. What the layers
 * declare themselves needs no grant; hooks of two manifests are one only under the same grant.
 */
export function onceEach(hooks: readonly Hook[]): Hook[] {
  const kept = new Map<string, Hook>()
  for (const hook of hooks) {
    const own = sameness(hook, true)
    const key = hook.grant && !kept.has(own) ? `${own} ${canonicalJson(hook.grant)}` : own
    const first = kept.get(key)
    kept.set(key, first === undefined ? hook : { ...first, origins: [...first.origins, ...hook.origins] })
  }
  return [...kept.values()]
}

const where = ({ origins }: Hook): string => origins.map(showOrigin).join(", ")

/** Hooks of different files that differ in effect alone: both run, and someone should know. */
export function nearDoublesAcross(hooks: readonly Hook[]): string[] {
  const first = new Map<string, Hook>()
  return hooks.flatMap((hook) => {
    const key = sameness(hook, false)
    const other = first.get(key)
    if (other === undefined) {
      first.set(key, hook)
      return []
    }
    const apart = other.origins[0]?.source !== hook.origins[0]?.source && other.effect !== hook.effect
    return apart
      ? [`\`${other.id}\` (${where(other)}) and \`${hook.id}\` (${where(hook)}) differ in effect alone, and both run`]
      : []
  })
}
