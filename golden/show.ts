import { showFinding } from "../policy/findings.ts"
import type { FrameDifference, MemberDifference } from "./compare.ts"
import type { Coverage } from "./coverage.ts"
import type { CaseResult } from "./result.ts"

/** Marks the parts of a rendering; the command line paints with it. */
export interface Marks {
  expected(text: string): string
  got(text: string): string
  faint(text: string): string
}

const PLAIN: Marks = Object.freeze({ expected: same, got: same, faint: same })

function same(text: string): string {
  return text
}

/** The lines that tell what differs: `-` is the golden's, `+` is what came out. */
export const showDifferences = (differences: readonly FrameDifference[], marks: Marks = PLAIN): string[] =>
  differences.flatMap(({ how, line, frame, members }) => [
    how === "extra"
      ? `not in the golden: ${frame}`
      : `${how === "missing" ? "missing: " : ""}${frame} ${marks.faint(`(line ${line} of the golden)`)}`,
    ...members.flatMap((member) => showMember(member, marks)),
  ])

function showMember(member: MemberDifference, marks: Marks): string[] {
  const name = member.path === "" ? "" : `${member.path}: `
  return [
    ...(Object.hasOwn(member, "expected") ? [marks.expected(`  - ${name}${JSON.stringify(member.expected)}`)] : []),
    ...(Object.hasOwn(member, "got") ? [marks.got(`  + ${name}${JSON.stringify(member.got)}`)] : []),
  ]
}

/** Why a case did not pass, a line each; none for one that did. */
export function showResult(result: CaseResult, marks: Marks = PLAIN): string[] {
  if (result.outcome === "broken") return result.findings.map(showFinding)
  if (result.outcome !== "failed") return []
  if (result.missing) return ["it has no golden yet; read what it gives, then write it with --update"]
  return showDifferences(result.differences, marks)
}

/** What no case touches, a line each. */
export function showCoverage({ policies }: Coverage): string[] {
  const lines = policies.flatMap(({ file, hooks, ceilings }) => [
    ...hooks.map(({ id, origin }) => `${file}: no case fires the hook \`${id}\` (${origin})`),
    ...ceilings.map(({ id, origin }) => `${file}: no case exercises the ceiling \`${id}\` (${origin})`),
  ])
  const all = policies.length === 1 ? "the policy" : `all ${policies.length} policies`
  if (policies.length === 0) return ["no case names a policy file, so there is nothing to cover"]
  return lines.length > 0 ? lines : [`every hook and ceiling of ${all} is covered`]
}
