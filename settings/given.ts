import { isLevel, LEVEL_NAMES } from "../effects/levels.ts"
import { type Finding, PolicyError } from "../policy/findings.ts"
import { nearest } from "../policy/nearest.ts"
import type { Layer, Origin, Policy, SourceLine, SourcePhase } from "../policy/policy.ts"
import type { Environment } from "./folders.ts"
import { FLAG_SETTINGS, flagOf, SETTINGS, type SettingPath, variableOf } from "./registry.ts"

/** Values of settings by path, as flags give them; a list for lines. */
export type Flags = Readonly<Record<string, string | readonly string[] | undefined>>

/** One setting, as it was said outside any file. */
export interface GivenSetting {
  readonly path: SettingPath
  readonly values: readonly string[]
  /** `env:DETENT_AUTONOMY_MAX` or `--autonomy-max` */
  readonly source: string
}

/** What the environment says; an empty variable says nothing. */
export const fromEnvironment = (env: Environment): GivenSetting[] =>
  FLAG_SETTINGS.flatMap((path) => {
    const value = env[variableOf(path)]
    return value ? [{ path, values: [value], source: `env:${variableOf(path)}` }] : []
  })

/** Variables of ours that are no setting but nearly one: most likely mistyped. */
export function mistypedVariables(env: Environment): string[] {
  const known = FLAG_SETTINGS.map(variableOf)
  return Object.keys(env).flatMap((name) => {
    if (!name.startsWith("DETENT_") || name.startsWith("DETENT_HOOK_") || known.includes(name)) return []
    const near = nearest(name, known)
    return near === undefined ? [] : [`\`${name}\` is no setting and is not used; did you mean \`${near}\`?`]
  })
}

/**
 * What flags say.
 *
 * @throws PolicyError on a path that is no setting, or one that only a file can hold.
 */
export function fromFlags(flags: Flags): GivenSetting[] {
  const given: GivenSetting[] = []
  const findings: Finding[] = []
  for (const [path, value] of Object.entries(flags)) {
    if (value === undefined) continue
    const setting = FLAG_SETTINGS.find((name) => name === path)
    if (setting !== undefined)
      given.push({ path: setting, values: [value].flat() as string[], source: flagOf(setting) })
    else findings.push(notAFlag(path))
  }
  if (findings.length > 0) throw new PolicyError(findings)
  return given
}

function notAFlag(path: string): Finding {
  if (Object.hasOwn(SETTINGS, path)) {
    return { severity: "error", message: `\`${path}\` can only stand in a policy file`, file: flagOf(path) }
  }
  const near = nearest(path, FLAG_SETTINGS)
  const hint = near === undefined ? `the settings are ${FLAG_SETTINGS.join(", ")}` : `did you mean \`${near}\`?`
  return { severity: "error", message: `unknown setting \`${path}\``, hint, file: flagOf(path) }
}

/** A policy that says nothing. */
export const NOTHING: Policy = Object.freeze({
  version: 1,
  autonomyMax: [],
  ceilings: [],
  hooks: [],
  script: {},
  servers: {},
  model: {},
  needsRegex: false,
  warnings: [],
})

/**
 * The layer that settings outside any file make. Lines of a script are added to those inherited from below.
 *
 * @throws PolicyError with every value that does not fit, named by its variable or flag.
 */
export function policyOfSettings(layer: Layer, given: readonly GivenSetting[]): Policy {
  const findings: Finding[] = []
  let policy: Policy = NOTHING
  for (const { path, values, source } of given) {
    const origin: Origin = { layer, source }
    const fit = PUT[SETTINGS[path].kind as keyof typeof PUT](policy, path, values, origin)
    if (typeof fit === "string")
      findings.push({ severity: "error", message: fit, hint: hintFor(path, values), file: source })
    else policy = fit
  }
  if (findings.length > 0) throw new PolicyError(findings)
  return policy
}

function hintFor(path: SettingPath, values: readonly string[]): string {
  if (SETTINGS[path].kind !== "level") return "give it one text that is not empty"
  const near = nearest(values[0] ?? "", LEVEL_NAMES)
  return near === undefined ? `the levels are ${LEVEL_NAMES.join(", ")}` : `did you mean \`${near}\`?`
}

/** Puts a value into a policy, or says why it does not fit. */
type Put = (policy: Policy, path: SettingPath, values: readonly string[], origin: Origin) => Policy | string

const PUT = {
  level: (policy, path, values, origin) => {
    const [value, ...more] = values
    if (!isLevel(value) || more.length > 0) return `unknown level \`${values.join(", ")}\` for \`${path}\``
    const sourced = { value, origin }
    return path === "autonomy.max"
      ? { ...policy, autonomyMax: [...policy.autonomyMax, sourced] }
      : { ...policy, hooksAutonomy: sourced }
  },
  lines: (policy, path, values, origin) => {
    const phase = path.slice("script.".length) as SourcePhase
    const lines: (SourceLine | null)[] = [null, ...values.map((value) => ({ value, origin }))]
    return { ...policy, script: { ...policy.script, [phase]: lines } }
  },
} satisfies Record<Exclude<(typeof SETTINGS)[SettingPath]["kind"], "structured" | "text">, Put>
