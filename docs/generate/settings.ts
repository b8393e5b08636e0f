import { COMBINING, combiningOf, isFixed, SETTINGS, type Setting, type SettingPath } from "../../policy/settings.ts"
import { FLAG_SETTINGS, flagOf, variableOf } from "../../settings/registry.ts"
import { code, page, part, table } from "./markdown.ts"

const given = (path: string): string[] =>
  (FLAG_SETTINGS as readonly string[]).includes(path) ? [code(flagOf(path)), code(variableOf(path))] : ["", ""]

/** When a change counts, and whether a running daemon can be told it. */
function changeOf(path: SettingPath): string {
  if (!SETTINGS[path].hot) return "at a restart"
  return isFixed(path) ? "at once, in files" : "at once"
}

const layers = Object.entries(COMBINING).map(([name, doc]) => `- ${code(name)}: ${doc}`)

export const settings = (): string =>
  page(
    "Settings",
    "Every setting is a key of a policy file. All but the structured ones are a flag and a variable too. `call` scope: a caller may say it for its own operation.",
    table(
      ["key", "kind", "default", "scope", "flag", "variable", "lowered by", "a change", "layers", "what it is"],
      Object.entries<Setting>(SETTINGS).map(([path, row]) => [
        code(path),
        row.kind,
        row.default === undefined ? "" : code(String(row.default)),
        row.scope,
        ...given(path),
        row.clampedBy === undefined ? "" : code(row.clampedBy),
        changeOf(path as SettingPath),
        combiningOf(row),
        row.doc,
      ]),
    ),
    part("Layers", "How what several layers say of a setting becomes one value:", layers.join("\n")),
  )
