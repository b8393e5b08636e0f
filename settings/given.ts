import { type Finding, PolicyError } from "../policy/findings.ts"
import { nearest } from "../policy/nearest.ts"
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
export const fromEnvironment = (env: Environment): GivenSetting[] => [
  ...FLAG_SETTINGS.flatMap((path) => {
    const value = env[variableOf(path)]
    return value ? [{ path, values: [value], source: `env:${variableOf(path)}` }] : []
  }),
  ...switchIn(env),
]

/** The variable that hosts know for switching hooks off: `1` is `features.hooks: false`. */
const SWITCH = "DETENT_DISABLE_HOOKS"

function switchIn({ [SWITCH]: said }: Environment): GivenSetting[] {
  if (!said || said === "0" || said === "false") return []
  const value = said === "1" || said === "true" ? "false" : said
  return [{ path: "features.hooks", values: [value], source: `env:${SWITCH}` }]
}

/** Variables of ours that are no setting: a hook's own, a client's token, a kill switch, and what shows a fault of ours. */
const OTHERS = /^DETENT_(HOOK_.*|DEBUG|TOKEN|DISABLE_HOOKS)$/

/** Variables that look like ours and that nobody reads: whoever set one believes that it does something. */
export function unreadVariables(env: Environment): string[] {
  const known = FLAG_SETTINGS.map(variableOf)
  return Object.keys(env).flatMap((name) => {
    if (!name.startsWith("DETENT_") || OTHERS.test(name) || known.includes(name)) return []
    const near = nearest(name, known)
    return [`\`${name}\` is no setting and is not used${near === undefined ? "" : `; did you mean \`${near}\`?`}`]
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
