import { LEVEL_NAMES } from "../effects/levels.ts"
import { SETTING_PATHS, SETTINGS, type Setting, type SettingPath } from "../policy/settings.ts"

export { SETTING_PATHS, SETTINGS, type Setting, type SettingPath }

/** A registry that cannot be used: a mistake in the table itself. */
export class RegistryError extends Error {
  override readonly name = "RegistryError"
}

/** Whether `part` is `whole` with some left out, in the same order. */
function isOrderedPart(part: readonly string[], whole: readonly string[]): boolean {
  let from = 0
  for (const name of part) {
    const found = whole.indexOf(name, from)
    if (found < 0) return false
    from = found + 1
  }
  return part.length > 0
}

/**
 * Refuses a table in which a clamp could not hold: a clamp exists only where the ceiling is a level that no caller and
 * no running daemon can change, and where both sides mean the same dial.
 *
 * @throws RegistryError naming the setting and what is wrong with it.
 */
export function checkRegistry(table: Readonly<Record<string, Setting>>): void {
  for (const [path, setting] of Object.entries(table)) {
    const refuse = (why: string): never => {
      throw new RegistryError(`the setting \`${path}\` ${why}`)
    }
    const levels = setting.levels ?? LEVEL_NAMES
    if (setting.kind === "level") {
      if (!isOrderedPart(levels, LEVEL_NAMES)) refuse("has levels that are no ordered part of the dial")
      if (!isOneOf(levels, setting.default)) refuse("has a default that is none of its levels")
    } else checkDefault(setting, refuse)
    if (setting.clampedBy !== undefined) checkClamp(setting, table, refuse)
  }
}

/** What a default is, by kind; kinds that have none have no default either. */
const DEFAULTS: Readonly<Partial<Record<Setting["kind"], string>>> = Object.freeze({
  enum: "string",
  text: "string",
  number: "number",
  boolean: "boolean",
})

function checkDefault(setting: Setting, refuse: (why: string) => never): void {
  const { kind, values = [], combines } = setting
  if (kind === "enum" && values.length === 0) refuse("has no values to choose from")
  if (kind !== "enum" && setting.values) refuse("has values and is no enum")
  if ((combines === "any" || combines === "all") && kind !== "boolean")
    refuse("is on or off where any layer says so, and is no boolean")
  if (combines === "union" && kind !== "list" && kind !== "structured") refuse("is of all layers, and is no list")
  if (setting.default === undefined) return
  if (typeof setting.default !== DEFAULTS[kind]) refuse(`has a default that is no ${kind}`)
  if (kind === "enum" && !isOneOf(values, setting.default)) refuse("has a default that is none of its values")
}

const isOneOf = (list: readonly unknown[], value: unknown): boolean => list.includes(value)

function checkClamp(
  setting: Setting,
  table: Readonly<Record<string, Setting>>,
  refuse: (why: string) => never,
): undefined {
  const by = `\`${setting.clampedBy}\``
  const ceiling = Object.hasOwn(table, setting.clampedBy!) ? table[setting.clampedBy!] : undefined
  if (ceiling === undefined) return refuse(`is clamped by ${by}, which is no setting`)
  if (setting.kind !== "level" || ceiling.kind !== "level")
    return refuse(`is clamped by ${by}, and both must be levels`)
  if (setting.scope !== "call") refuse(`is clamped by ${by} and must be call-scoped`)
  if (ceiling.scope !== "daemon") refuse(`is clamped by ${by}, which a caller may set`)
  if (ceiling.hot) refuse(`is clamped by ${by}, which can change while running`)
  if (ceiling.clampedBy !== undefined) refuse(`is clamped by ${by}, which is clamped itself`)
  const [low, high] = [setting.levels ?? LEVEL_NAMES, ceiling.levels ?? LEVEL_NAMES]
  if (!isOrderedPart(low, high)) refuse(`has levels that are no ordered part of those of ${by}`)
  if (high.indexOf(String(setting.default)) > high.indexOf(String(ceiling.default)))
    refuse(`has a default above that of ${by}`)
}

checkRegistry(SETTINGS)

const words = (path: string): string[] => path.split(".").flatMap((part) => part.split(/(?=[A-Z])/))

/** `script.onSuccess` → `--script-on-success` */
export const flagOf = (path: string): string => `--${words(path).join("-").toLowerCase()}`

/** `script.onSuccess` → `DETENT_SCRIPT_ON_SUCCESS` */
export const variableOf = (path: string): string => `DETENT_${words(path).join("_").toUpperCase()}`

/** The settings that are flags and variables: lists and objects stand in files alone. */
export const FLAG_SETTINGS: readonly SettingPath[] = Object.freeze(
  SETTING_PATHS.filter((path) => SETTINGS[path].kind !== "structured"),
)
