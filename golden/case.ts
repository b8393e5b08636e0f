import { isUtf8 } from "node:buffer"
import { readFileSync } from "node:fs"
import { basename, dirname, resolve } from "node:path"
import { hostLevels, isHost } from "../dialects/hosts.ts"
import type { JsonObject } from "../effects/json.ts"
import type { Level } from "../effects/levels.ts"
import type { FireOptions } from "../engine/given.ts"
import type { Failed } from "../frames/failures.ts"
import type { Finding } from "../policy/findings.ts"
import { showFinding } from "../policy/findings.ts"
import { type Path, pointerOf } from "../policy/places.ts"
import type { Point } from "../policy/points.ts"
import type { Policy } from "../policy/policy.ts"
import { type PolicyText, readPolicyText } from "../policy/text.ts"
import { checkCase } from "./check.ts"
import { type CaseProblem, problemsOfIssues } from "./issues.ts"
import { policyOfCase } from "./policy.ts"
import { type CaseText, caseSchema } from "./schema.ts"

/** What an action answers in a case: an output, no opinion, or a failure. */
export type CaseOutput = JsonObject | null | { readonly failed: Pick<Failed, "kind" | "exitCode" | "signal"> }

/** One golden case, read and checked. */
export interface Case {
  /** absolute */
  readonly file: string
  /** the folder of the file; relative names in it start here */
  readonly folder: string
  readonly policy: Policy
  /** the policy's own file, absolute; absent for an inline policy */
  readonly policyFile?: string
  readonly settings: { readonly "autonomy.max"?: Level; readonly "hooks.autonomy"?: Level }
  readonly caller?: JsonObject
  readonly host?: NonNullable<FireOptions["host"]>
  readonly event: JsonObject
  readonly operation?: { readonly result: unknown } | { readonly error: JsonObject }
  readonly outputs: Readonly<Record<string, CaseOutput>>
  /** where recordings of models' answers are, absolute */
  readonly cassettes: string
  /** absent: nobody can be asked */
  readonly answers?: Readonly<Record<string, string>>
  readonly tools: Readonly<Record<string, { readonly inputSchema?: JsonObject }>>
}

/** A case that cannot be used: everything that is wrong with it. */
export class CaseError extends Error {
  override readonly name = "CaseError"
  readonly findings: readonly Finding[]

  constructor(findings: readonly Finding[]) {
    super(findings.map(showFinding).join("\n"))
    this.findings = findings
  }
}

/**
 * Reads one case with its policy: YAML as strict as a policy's, repeated keys refused, unknown ones named with the
 * nearest known.
 *
 * @throws CaseError with every finding and its place.
 */
export function readCase(path: string): Case {
  const file = resolve(path)
  const shown = basename(file)
  const text = textOf(file, shown)
  return caseOf(readPolicyText(text, false), file, shown)
}

function textOf(file: string, shown: string): string {
  let content: Uint8Array
  try {
    content = readFileSync(file)
  } catch (cause) {
    const { code = "unknown" } = cause as NodeJS.ErrnoException
    throw new CaseError([{ severity: "error", message: `the case cannot be read (${code})`, file: shown }])
  }
  if (!isUtf8(content)) throw new CaseError([{ severity: "error", message: "the case is not UTF-8", file: shown }])
  return Buffer.from(content).toString("utf8")
}

function caseOf(read: PolicyText, file: string, shown: string): Case {
  const placed = ({ path, at = "value", message, hint }: CaseProblem): Finding => ({
    severity: "error",
    message,
    ...(hint === undefined ? {} : { hint }),
    file: shown,
    ...read.locate(path, at),
    pointer: pointerOf(path),
  })
  const locate = (inner: Path, at: "key" | "value") => read.locate(["policy", ...inner], at)
  const ofText = read.problems.map(
    ({ place, message, hint, pointer }): Finding => ({
      severity: "error",
      // The reader is the policies' own; here it reads a case.
      message: message.replace("policy", "case"),
      ...(hint === undefined || read.value === undefined ? {} : { hint }),
      file: shown,
      ...place,
      ...(pointer === undefined ? {} : { pointer }),
    }),
  )
  if (read.value === undefined) throw new CaseError(ofText)
  const checked = caseSchema.safeParse(read.value)
  if (!checked.success)
    throw new CaseError([...ofText, ...problemsOfIssues(checked.error.issues, read.value).map(placed)])
  const folder = dirname(file)
  const { policy, policyFile, findings } = policyOfCase(checked.data.policy, { folder, shown, locate })
  const problems = checkCase(checked.data, policy)
  const all = [...ofText, ...findings, ...problems.map(placed)]
  if (all.length > 0 || policy === undefined) throw new CaseError(all)
  return { file, folder, policy, ...(policyFile === undefined ? {} : { policyFile }), ...restOf(checked.data, folder) }
}

function restOf(text: CaseText, folder: string): Omit<Case, "file" | "folder" | "policy" | "policyFile"> {
  const { caller, host, operation, answers, event } = text
  const asks = caller ?? (event.caller as JsonObject | undefined)
  return {
    settings: (text.settings ?? {}) as Case["settings"],
    ...(asks === undefined ? {} : { caller: typeof asks === "string" ? { id: asks } : asks }),
    ...(host === undefined ? {} : { host: hostOf(host, event) }),
    event,
    ...(operation === undefined ? {} : { operation: operationOf(operation) }),
    outputs: (text.outputs ?? {}) as Case["outputs"],
    cassettes: resolve(folder, text.cassettes ?? "cassettes"),
    ...(answers === undefined ? {} : { answers }),
    tools: (text.tools ?? {}) as Case["tools"],
  }
}

/** An agent by its name stands for what it carries, phase by phase. */
const hostOf = (host: NonNullable<CaseText["host"]>, { on }: JsonObject): NonNullable<Case["host"]> =>
  isHost(host) ? { name: host, max: hostLevels(host, on as Point) } : (host as NonNullable<Case["host"]>)

const operationOf = ({ result, error }: NonNullable<CaseText["operation"]>): NonNullable<Case["operation"]> =>
  error === undefined ? { result } : { error: typeof error === "string" ? { message: error } : { ...error } }
