import { lowest } from "../effects/levels.ts"
import type { Hook, Policy } from "../policy/policy.ts"
import { NOTHING } from "./nothing.ts"

/** Cuts one hook of an untrusted layer down to a rule that at most asks; undefined for any other action. */
function reduceHook(hook: Hook): Hook | undefined {
  if (hook.action.kind !== "rule") return undefined
  const { env: _, cwd: __, base: ___, ...rest } = hook
  return { ...rest, effect: lowest(hook.effect, "ask"), floor: "off" }
}

const list = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(", ")

/** What of a policy, besides its hooks, is not in force while nobody trusts it. */
function inertParts(policy: Policy): string[] {
  const parts = {
    "autonomy.max": policy.autonomyMax.length > 0,
    "hooks.autonomy": policy.hooksAutonomy !== undefined,
    ceilings: policy.ceilings.length > 0,
    servers: Object.keys(policy.servers).length > 0,
    model: Object.keys(policy.model).length > 0,
  }
  const plain = [...Object.keys(policy.values), ...Object.keys(policy.lists)].filter(
    (path) => !path.startsWith("model."),
  )
  const script = Object.keys(policy.script).map((phase) => `script.${phase}`)
  return [...Object.entries(parts).flatMap(([name, given]) => (given ? [name] : [])), ...plain, ...script]
}

/**
 * What an untrusted layer may still do, and one sentence for everything that it may not. Its hooks may watch, advise,
 * ask and refuse by rules; nothing of it starts a program, reaches a server or takes another layer's hook away.
 */
export function reduceUntrusted(policy: Policy): { readonly policy: Policy; readonly notices: readonly string[] } {
  const given = policy.hooks.filter((hook) => hook !== null && hook.grant === undefined) as readonly Hook[]
  const hooks = given.flatMap((hook) => reduceHook(hook) ?? [])
  const ids = (test: (hook: Hook) => boolean): string[] => given.filter(test).map(({ id }) => id)
  const inert = ids(({ action }) => action.kind !== "rule")
  const lowered = ids((hook) => hook.action.kind === "rule" && lowest(hook.effect, "ask") !== hook.effect)
  const floors = ids((hook) => hook.action.kind === "rule" && hook.floor !== "off")
  const parts = inertParts(policy)
  const manifests = Object.values(policy.servers).flatMap(({ manifest }) => manifest ?? [])
  const name = policy.file === undefined ? "the project's policy" : `\`${policy.file}\``
  const said = [
    inert.length > 0 ? `these hooks are not in force: ${list(inert)}` : "",
    lowered.length > 0 ? `these hooks may at most ask: ${list(lowered)}` : "",
    floors.length > 0 ? `these hooks have no floor: ${list(floors)}` : "",
    manifests.length > 0 ? `the hooks of these manifests are not in force: ${list(manifests)}` : "",
    parts.length > 0 ? `these settings are not in force: ${list(parts)}` : "",
  ].filter((text) => text !== "")
  const notices = said.map((text) => `${name} is not trusted, so ${text} (\`detent trust\` records its content)`)
  return { policy: { ...NOTHING, hooks, needsRegex: policy.needsRegex, warnings: policy.warnings }, notices }
}
