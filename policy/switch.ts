import { type Origin, type Policy, SOURCE_PHASES, showOrigin } from "./policy.ts"

/** Who has switched hooks off; undefined where they are on. */
export function switchedOff({ values }: Pick<Policy, "values">): Origin | undefined {
  const said = values["features.hooks"]
  return said?.value === false ? said.origin : undefined
}

/**
 * A policy with its hooks switched off, where somebody has said so: those with a floor stay, which only a trusted layer can
 * give them, and so do ceilings and consent gates. Lines inside scripts are hooks, too; a caller's own flags are not.
 *
 * INVARIANT: no switch takes a floor away (test/policy/switch.test.ts).
 */
export function switched<Any extends Pick<Policy, "hooks" | "values" | "script">>(policy: Any): Any {
  if (!switchedOff(policy)) return policy
  const hooks = policy.hooks.map((hook) => hook && { ...hook, enabled: hook.enabled && hook.floor !== "off" })
  const script = Object.fromEntries(
    SOURCE_PHASES.flatMap((phase) => {
      const own = policy.script[phase]?.filter((line) => line?.origin.layer === "flags") ?? []
      return own.length > 0 ? [[phase, own] as const] : []
    }),
  )
  return { ...policy, hooks, script }
}

/** What is said where hooks are switched off: by what, and which stay; undefined where they are not. */
export function switchNotice(policy: Pick<Policy, "hooks" | "values">): string | undefined {
  const by = switchedOff(policy)
  if (!by) return undefined
  const kept = policy.hooks.flatMap((hook) => (hook?.enabled && hook.floor !== "off" ? [`\`${hook.id}\``] : []))
  const but = kept.length > 0 ? `; these have a floor and stay in force: ${kept.join(", ")}` : ""
  return `hooks are switched off by \`${showOrigin(by)}\`${but}`
}
