import { isObject } from "../effects/json.ts"
import { type Given, policyOf, subjectOf } from "./assemble.ts"
import { needsEngine } from "./check/engine.ts"
import { runChecks } from "./check/table.ts"
import { PolicyError } from "./findings.ts"
import { type ManifestFiles, manifestsOf } from "./manifest.ts"
import { registerRe2 } from "./match/re2.ts"
import { findingOf, ofText, type Severe, sorted } from "./placed.ts"
import { folderOf } from "./places.ts"
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
  /** reads the manifests of servers; absent: these are not looked at, and an engine refuses to start without them */
  readonly manifestFiles?: ManifestFiles | undefined
}

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
  const unread = ofText(read, named)
  if (read.value === undefined) throw new PolicyError(sorted(unread, file))

  const { problems, bad } = checkShape(read.value)
  const given = givenBy(read, bad, options)
  const subject = subjectOf(given, options.promptFiles)
  const ofShape = problems.map((problem): Severe => ({ ...problem, severity: "error" }))
  const manifests = manifestsOf(given, subject, file, options.manifestFiles)
  const found = [...ofShape, ...runChecks(subject), ...manifests.problems].map((problem) =>
    findingOf(problem, read, named),
  )
  const findings = sorted([...unread, ...found, ...manifests.findings], file)
  if (findings.some(({ severity }) => severity === "error")) throw new PolicyError(findings)

  const policy = policyOf(given)
  return {
    ...named,
    ...switched({ ...policy, hooks: [...policy.hooks, ...manifests.hooks] }),
    servers: marked(policy.servers, manifests.unread),
    needsRegex: needsEngine(subject) || manifests.needsRegex,
    warnings: findings,
  }
}

/** The servers, those marked whose hooks nobody has read. */
const marked = (servers: Policy["servers"], unread: readonly string[]): Policy["servers"] => ({
  ...servers,
  ...Object.fromEntries(unread.map((name) => [name, { ...servers[name], unread: true as const }])),
})

function givenBy(read: PolicyText, bad: ReadonlySet<string>, options: ParseOptions): Given {
  const { file, layer = "project", base = folderOf(file), trusted = true } = options
  return {
    root: isObject(read.value) ? read.value : {},
    bad,
    ...(base !== undefined && { base }),
    trusted,
    origin: (path) => ({ layer, ...(file !== undefined && { source: file }), ...read.locate(path, "key") }),
  }
}
