import type { JsonObject } from "../effects/json.ts"
import { isObject } from "../effects/json.ts"
import type { Path } from "./places.ts"
import type { Origin, Policy, Sourced } from "./policy.ts"
import { SETTINGS, type Setting, type SettingPath } from "./settings.ts"

/** What a setting of one value can be. */
export type Scalar = string | number | boolean

interface Types {
  readonly enum: string
  readonly text: string
  readonly number: number
  readonly boolean: boolean
}

type Row<P extends SettingPath> = (typeof SETTINGS)[P]

/** The settings of one value. Levels are not among them: how these combine is the clamp's affair. */
export type ScalarPath = { [P in SettingPath]: Row<P>["kind"] extends keyof Types ? P : never }[SettingPath]

type ValueOf<P extends ScalarPath> =
  | Types[Row<P>["kind"] & keyof Types]
  | (Row<P> extends { readonly default: Scalar } ? never : undefined)

const SCALARS: readonly Setting["kind"][] = Object.freeze(["enum", "text", "number", "boolean"])

export const isScalarPath = (path: string): path is ScalarPath =>
  Object.hasOwn(SETTINGS, path) && SCALARS.includes(SETTINGS[path as SettingPath].kind)

/** The value of a setting in a policy: what is said of it, or its default. */
export function settingOf<P extends ScalarPath>({ values }: Pick<Policy, "values">, path: P): ValueOf<P> {
  const said = Object.hasOwn(values, path) ? values[path] : undefined
  return (said === undefined ? (SETTINGS[path] as Setting).default : said.value) as ValueOf<P>
}

/** The texts of a list in a policy of several layers. */
export const listOf = ({ lists }: Pick<Policy, "lists">, path: SettingPath): readonly string[] =>
  (lists[path] ?? []).flatMap((entry) => entry?.value ?? [])

/** The plain settings that a file says, each with where it stands; `model: {name}` is `model.name`. */
export function saidIn(root: JsonObject, origin: (path: Path) => Origin): Pick<Policy, "values" | "lists"> {
  const values: Record<string, Sourced<Scalar>> = {}
  const lists: Record<string, readonly (Sourced<string> | null)[]> = {}
  const model = isObject(root.model) ? Object.entries(root.model) : []
  const said: (readonly [string, unknown, Path])[] = [
    ...Object.entries(root).map(([path, value]) => [path, value, [path]] as const),
    ...model.map(([key, value]) => [`model.${key}`, value, ["model", key]] as const),
  ]
  for (const [path, value, at] of said) {
    if (isScalarPath(path)) values[path] = { value: value as Scalar, origin: origin(at) }
    else if (isListPath(path) && Array.isArray(value)) {
      lists[path] = value.map((text: string | null, index) =>
        text === null ? null : { value: text, origin: origin([...at, index]) },
      )
    }
  }
  return { values, lists }
}

export const isListPath = (path: string): path is SettingPath =>
  Object.hasOwn(SETTINGS, path) && (SETTINGS[path as SettingPath] as Setting).kind === "list"
