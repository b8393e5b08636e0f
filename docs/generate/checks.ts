import { CHECKS } from "../../policy/check/table.ts"
import { code, page, table } from "./markdown.ts"

export const checks = (): string =>
  page(
    "Findings of `detent check`",
    "Beyond the shape of the file. An error makes a policy unusable; a warning is printed, and counts as an error with `--strict`.",
    table(
      ["check", "severity", "what it finds"],
      Object.entries(CHECKS).map(([name, { severity, doc }]) => [code(name), severity, doc]),
    ),
  )
