import { SETTINGS, type Setting } from "../../policy/settings.ts"
import { FLAG_SETTINGS, flagOf, variableOf } from "../../settings/registry.ts"
import { code, page, table } from "./markdown.ts"

const given = (path: string): string[] =>
  (FLAG_SETTINGS as readonly string[]).includes(path) ? [code(flagOf(path)), code(variableOf(path))] : ["", ""]

export const settings = (): string =>
  page(
    "Settings",
    "Every setting is a key of a policy file. All but the structured ones are a flag and a variable too. `call` scope: a caller may say it for its own operation.",
    table(
      ["key", "kind", "default", "scope", "flag", "variable", "lowered by", "what it is"],
      Object.entries<Setting>(SETTINGS).map(([path, row]) => [
        code(path),
        row.kind,
        row.default === undefined ? "" : code(String(row.default)),
        row.scope,
        ...given(path),
        row.clampedBy === undefined ? "" : code(row.clampedBy),
        row.doc,
      ]),
    ),
  )
