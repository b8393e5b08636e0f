import { isLevel, LEVEL_NAMES } from "../../effects/levels.ts"
import { nearest } from "../../policy/nearest.ts"
import { settingProblem } from "../../policy/setting-shapes.ts"
import { SETTING_PATHS, SETTINGS, type Setting, type SettingPath } from "../../settings/registry.ts"
import { CommandError } from "../errors.ts"

/** @throws CommandError with the nearest known one */
export function pathOf(name: string): SettingPath {
  const path = SETTING_PATHS.find((known) => known === name)
  if (path !== undefined) return path
  const near = nearest(name, SETTING_PATHS)
  throw new CommandError(
    `unknown setting \`${name}\``,
    near === undefined ? "`detent settings` lists them" : `did you mean \`${near}\`?`,
  )
}

/**
 * The words of a command line as a setting's value.
 *
 * @throws CommandError where they are none of its values, or where it only stands in a file.
 */
export function valueFrom(path: SettingPath, words: readonly string[]): unknown {
  const { kind }: Setting = SETTINGS[path]
  if (kind === "structured") throw new CommandError(`\`${path}\` is written in a policy file itself`)
  if (kind === "list" || kind === "lines") return checked(path, listOf(words))
  const [word = "", ...more] = words
  if (more.length > 0) throw new CommandError(`\`${path}\` takes one value`, "put a text with spaces into quotes")
  return kind === "level" ? levelOf(path, word) : checked(path, READ[kind](word))
}

const READ: Readonly<
  Record<Exclude<Setting["kind"], "level" | "list" | "lines" | "structured">, (word: string) => unknown>
> = Object.freeze({
  enum: (word) => word,
  text: (word) => word,
  number: (word) => (word.trim() === "" || Number.isNaN(Number(word)) ? word : Number(word)),
  boolean: (word) => (word === "true" ? true : word === "false" ? false : word),
})

/** The word `null` stands for the list of the layers below, as it does in a file. */
const listOf = (words: readonly string[]): (string | null)[] => words.map((word) => (word === "null" ? null : word))

function levelOf(path: SettingPath, word: string): string {
  if (isLevel(word)) return word
  const near = nearest(word, LEVEL_NAMES)
  const hint = near === undefined ? `the levels are ${LEVEL_NAMES.join(", ")}` : `did you mean \`${near}\`?`
  throw new CommandError(`unknown level \`${word}\` for \`${path}\``, hint)
}

function checked(path: SettingPath, value: unknown): unknown {
  const problem = SETTINGS[path].kind === "lines" ? undefined : settingProblem(path, value)
  if (problem === undefined) return value
  throw new CommandError(`\`${path}\` ${problem}`)
}
