import { isObject } from "../effects/json.ts"
import { type Given, hooksOf, serversIn } from "./assemble.ts"
import { needsEngine } from "./check/engine.ts"
import type { PolicySubject } from "./check/subject.ts"
import { runChecks } from "./check/table.ts"
import type { Finding } from "./findings.ts"
import { findingOf, ofText, type Severe } from "./placed.ts"
import { fileIn, folderOf } from "./places.ts"
import type { Grant, Hook, ServerEntry } from "./policy.ts"
import { checkManifestShape } from "./shape.ts"
import { readPolicyText } from "./text.ts"

/** Reads the manifests of servers. */
export interface ManifestFiles {
  /**
   * A file's text; a relative name starts in `base`.
   *
   * @throws Error whose message is one sentence
   */
  read(base: string | undefined, file: string): string
}

/** What the manifests of a policy's servers came to. */
export interface Manifests {
  /** in the order of the servers */
  readonly hooks: readonly Hook[]
  /** at places of the policy itself */
  readonly problems: readonly Severe[]
  /** at places of the manifests */
  readonly findings: readonly Finding[]
  /** the servers whose manifests were not read, since nobody reads files here */
  readonly unread: readonly string[]
  readonly needsRegex: boolean
}

/** A manifest that is named, and what its hooks may do. */
interface Named {
  readonly file: string
  /** as findings name it */
  readonly shown: string
  readonly base: string | undefined
  readonly grant: Grant
}

/** Reads and checks the manifests of all servers of a policy: their hooks stand at the end of its own. */
export function manifestsOf(
  given: Given,
  subject: PolicySubject,
  policyFile: string | undefined,
  files: ManifestFiles | undefined,
): Manifests {
  const hooks: Hook[] = []
  const problems: Severe[] = []
  const findings: Finding[] = []
  const unread: string[] = []
  let needsRegex = false
  for (const [name, entry] of serversIn(given)) {
    const { manifest } = entry
    if (manifest === undefined) continue
    const path = ["servers", name, "manifest"]
    if (!files) {
      const message = `the hooks of the manifest \`${manifest}\` are not read here`
      problems.push({
        severity: "warning",
        path,
        message,
        hint: "`loadPolicy` reads those of a policy that is trusted",
      })
      unread.push(name)
      continue
    }
    try {
      const text = files.read(given.base, manifest)
      const file = fileIn(given.base, manifest)
      const shown = fileIn(folderOf(policyFile), manifest)
      const read = readManifest(
        text,
        { file, shown, base: folderOf(file), grant: grantOf(name, entry, given) },
        subject,
      )
      hooks.push(...read.hooks)
      findings.push(...read.findings)
      needsRegex ||= read.needsRegex
    } catch (cause) {
      problems.push({ severity: "error", path, message: (cause as Error).message })
    }
  }
  return { hooks, problems, findings, unread, needsRegex }
}

/** How far a manifest's hooks go: as the operator says, and by default no further than advice on the server's own tools. */
const grantOf = (server: string, { grant }: ServerEntry, given: Given): Grant => ({
  server,
  max: grant?.max ?? "advise",
  ...(grant?.on !== undefined && { on: grant.on }),
  origin: grant === undefined ? { layer: "default" } : given.origin(["servers", server, "grant"]),
})

function readManifest(
  text: string,
  { file, shown, base, grant }: Named,
  policy: PolicySubject,
): Pick<Manifests, "hooks" | "findings" | "needsRegex"> {
  const named = { file: shown }
  const read = readPolicyText(text, file.endsWith(".json"))
  const unread = ofText(read, named).map(ofManifest)
  if (read.value === undefined) return { hooks: [], findings: unread, needsRegex: false }
  if (!isObject(read.value)) {
    const problem: Severe = { severity: "error", path: [], message: "a manifest must be an object with `hooks`" }
    return { hooks: [], findings: [findingOf(problem, read, named)], needsRegex: false }
  }
  const { problems, bad } = checkManifestShape(read.value)
  const given: Given = {
    root: read.value,
    bad,
    ...(base !== undefined && { base }),
    trusted: true,
    grant,
    origin: (path) => ({ layer: "manifest", source: shown, ...read.locate(path, "key") }),
  }
  const { promptFiles, autonomyMax, servers } = policy
  const hooks = hooksOf(given)
  const subject = {
    hooks,
    ceilings: [],
    autonomyMax,
    servers,
    trusted: true,
    grant,
    ...(promptFiles && { promptFiles }),
  }
  const found = [...problems.map((problem): Severe => ({ ...problem, severity: "error" })), ...runChecks(subject)]
  return {
    hooks: hooks.map(({ hook }) => hook),
    findings: [...unread, ...found.map((problem) => ofManifest(findingOf(problem, read, named)))],
    needsRegex: needsEngine(subject),
  }
}

/** What is said of a policy's text and shape holds for a manifest's; how the least policy looks does not. */
function ofManifest({ hint, ...finding }: Finding): Finding {
  const message = finding.message.replace(/^(a|the) policy\b/, "$1 manifest")
  return { ...finding, message, ...(hint !== undefined && message === finding.message && { hint }) }
}
