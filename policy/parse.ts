import { isObject } from "../effects/json.ts"
import { type Given, policyOf, subjectOf } from "./assemble.ts"
import { ceilingsNeedEngine, hookLogicNeedsEngine } from "./check/logic.ts"
import { hookNeedsEngine } from "./check/matchers.ts"
import { runChecks } from "./check/table.ts"
import { type Finding, PolicyError } from "./findings.ts"
import type { Problem } from "./issues.ts"
import { registerRe2 } from "./match/re2.ts"
import { pointerOf } from "./places.ts"
import type { Layer, Policy } from "./policy.ts"
import type { PromptFiles } from "./prompt-source.ts"
import { checkShape } from "./shape.ts"
import { switched } from "./switch.ts"
import { type PolicyText, readPolicyText } from "./text.ts"

// Patterns are checked while parsing, so their engine has to be there.
registerRe2()

export interface ParseOptions {
  /** the file's name, for findings and origins; one that ends in `.json` is read as strict JSON */
  readonly file?: string
  /** default `project` */
  readonly layer?: Layer
  /** the folder in which relative programs, modules and folders start; by default the file's */
  readonly base?: string
  /** whether a floor is legal here; default true */
  readonly trusted?: boolean
  /** reads the files that prompts are in; absent: these are not looked at, as in a browser */
  readonly promptFiles?: PromptFiles
}

type Severe = Problem & { readonly severity: Finding["severity"] }

/**
 * Reads one policy file, YAML or JSON.
 *
 * @throws PolicyError with every finding, sorted by place. A policy without errors carries its warnings.
 */
export function parsePolicy(text: string, options: ParseOptions = {}): Policy {
  if (typeof text !== "string") throw new TypeError("a policy is read from its text, YAML or JSON")
  const { file } = options
  const named = file === undefined ? {} : { file }
  const read = readPolicyText(text, file?.endsWith(".json") ?? false)
  const ofText = read.problems.map(
    ({ place, ...problem }): Finding => ({ severity: "error", ...problem, ...named, ...place }),
  )
  if (read.value === undefined) throw new PolicyError(sorted(ofText, file))

  const { problems, bad } = checkShape(read.value)
  const given = givenBy(read, bad, options)
  const subject = subjectOf(given, options.promptFiles)
  const ofShape = problems.map((problem): Severe => ({ ...problem, severity: "error" }))
  const found = [...ofShape, ...runChecks(subject)].map((problem) => findingOf(problem, read, named))
  const findings = sorted([...ofText, ...found], file)
  if (findings.some(({ severity }) => severity === "error")) throw new PolicyError(findings)

  const needsRegex =
    subject.hooks.some(({ hook, text, path }) => hookNeedsEngine(hook) || hookLogicNeedsEngine(text, path)) ||
    ceilingsNeedEngine(subject.ceilings)
  return { ...named, ...switched(policyOf(given)), needsRegex, warnings: findings }
}

function givenBy(read: PolicyText, bad: ReadonlySet<string>, options: ParseOptions): Given {
  const { file, layer = "project", base = file === undefined ? undefined : folderOf(file), trusted = true } = options
  return {
    root: isObject(read.value) ? read.value : {},
    bad,
    ...(base !== undefined && { base }),
    trusted,
    origin: (path) => ({ layer, ...(file !== undefined && { source: file }), ...read.locate(path, "key") }),
  }
}

/** The folder part of a file's name; undefined for a bare name. Pure: no Node module is at hand. */
function folderOf(file: string): string | undefined {
  const slash = Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\"))
  return slash > 0 ? file.slice(0, slash) : slash === 0 ? "/" : undefined
}

const findingOf = (
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
const sorted = (findings: readonly Finding[], own: string | undefined): Finding[] =>
  [...findings].sort(
    (a, b) =>
      Number(a.file !== own) - Number(b.file !== own) ||
      compare(a.file ?? "", b.file ?? "") ||
      (a.line ?? 0) - (b.line ?? 0) ||
      (a.column ?? 0) - (b.column ?? 0),
  )

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
