import { readFileSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { manifestFiles, parsePolicyBytes } from "../policy/file.ts"
import { type Finding, PolicyError } from "../policy/findings.ts"
import { parsePolicy } from "../policy/parse.ts"
import type { Path, Place } from "../policy/places.ts"
import type { Policy } from "../policy/policy.ts"

/** Where a case's policy is looked for, and where its parts stand in the case. */
interface Around {
  readonly folder: string
  /** the case's file, as findings name it */
  readonly shown: string
  locate(path: Path, at: "key" | "value"): Place | undefined
}

interface Found {
  readonly policy?: Policy
  readonly policyFile?: string
  readonly findings: readonly Finding[]
}

/** The policy of a case: a file's, named from the case's folder, or one that is written in the case itself. */
export function policyOfCase(given: string | Readonly<Record<string, unknown>>, around: Around): Found {
  const isPath = typeof given === "string" && !given.includes("\n")
  try {
    if (isPath) return ofFile(given, around)
    const text = typeof given === "string" ? given : JSON.stringify(given)
    return { policy: parsePolicy(text, { file: around.shown, base: around.folder, manifestFiles }), findings: [] }
  } catch (cause) {
    if (!(cause instanceof PolicyError)) throw cause
    const errors = cause.findings.filter(({ severity }) => severity === "error")
    return { findings: isPath ? errors : errors.map((finding) => within(finding, given, around)) }
  }
}

function ofFile(path: string, { folder, shown, locate }: Around): Found {
  const policyFile = resolve(folder, path)
  let content: Uint8Array
  try {
    content = readFileSync(policyFile)
  } catch (cause) {
    const message = `the policy \`${path}\` cannot be read (${(cause as NodeJS.ErrnoException).code ?? "unknown"})`
    const hint = "a path starts at the case's own folder; a policy's text goes over several lines"
    throw new PolicyError([{ severity: "error", message, hint, file: shown, ...locate([], "value") }])
  }
  return { policy: parsePolicyBytes(content, { file: path, base: dirname(policyFile) }), policyFile, findings: [] }
}

/** A finding in an inline policy, at its place in the case. */
function within(finding: Finding, given: unknown, { shown, locate }: Around): Finding {
  const { line, column: _, pointer = "", file: __, ...rest } = finding
  const path = pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
  const asText = typeof given === "string"
  const message = asText && line !== undefined ? `${rest.message}, in line ${line} of the policy` : rest.message
  const place = asText ? locate([], "value") : locate(path, finding.message.startsWith("unknown key") ? "key" : "value")
  return { ...rest, message, file: shown, ...place, pointer: `/policy${pointer}` }
}
