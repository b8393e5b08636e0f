import type { Finding } from "./findings.ts"
import type { Problem } from "./issues.ts"
import { pointerOf } from "./places.ts"
import type { PolicyText } from "./text.ts"

/** A problem with its weight. */
export type Severe = Problem & { readonly severity: Finding["severity"] }

/** What is wrong with a text itself, at its place. */
export const ofText = ({ problems }: PolicyText, named: { file?: string }): Finding[] =>
  problems.map(({ place, ...problem }): Finding => ({ severity: "error", ...problem, ...named, ...place }))

/** A problem at its place. */
export const findingOf = (
  { path, at = "value", severity, message, hint, part, elsewhere }: Severe,
  read: PolicyText,
  named: { file?: string },
): Finding => ({
  severity,
  message,
  ...(hint !== undefined && { hint }),
  ...(elsewhere ?? { ...named, ...read.locate(path, at, part) }),
  pointer: pointerOf(path),
})

/** The policy's own findings by place, then those of each other file. */
export const sorted = (findings: readonly Finding[], own: string | undefined): Finding[] =>
  [...findings].sort(
    (a, b) =>
      Number(a.file !== own) - Number(b.file !== own) ||
      compare(a.file ?? "", b.file ?? "") ||
      (a.line ?? 0) - (b.line ?? 0) ||
      (a.column ?? 0) - (b.column ?? 0),
  )

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
