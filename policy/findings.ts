/** Something wrong, or doubtful, in a policy: what, where, and how to mend it. */
export interface Finding {
  readonly severity: "error" | "warning"
  /** one sentence, lower case, the user's words in backticks */
  readonly message: string
  readonly hint?: string
  readonly file?: string
  /** 1-based */
  readonly line?: number
  /** 1-based */
  readonly column?: number
  /** JSON pointer into the policy */
  readonly pointer?: string
}

/** `file:line:col: error: message (hint)`. */
export const showFinding = (finding: Finding): string => {
  const place = [finding.file ?? "policy", finding.line, finding.column].filter((part) => part !== undefined).join(":")
  const hint = finding.hint === undefined ? "" : ` (${finding.hint})`
  return `${place}: ${finding.severity}: ${finding.message}${hint}`
}

/** A policy that cannot be used: all its findings, the first error's place on top. */
export class PolicyError extends Error {
  override readonly name = "PolicyError"
  readonly findings: readonly Finding[]
  readonly file?: string
  readonly line?: number
  readonly column?: number
  readonly hint?: string

  constructor(findings: readonly Finding[]) {
    const errors = findings.filter((finding) => finding.severity === "error")
    super(errors.map(showFinding).join("\n"))
    this.findings = findings
    const first = errors[0]
    if (first?.file !== undefined) this.file = first.file
    if (first?.line !== undefined) this.line = first.line
    if (first?.column !== undefined) this.column = first.column
    if (first?.hint !== undefined) this.hint = first.hint
  }
}
