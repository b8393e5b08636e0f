import { readFileSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { parsePolicyBytes } from "../policy/file.ts"
import { type Finding, PolicyError, showFinding } from "../policy/findings.ts"
import { discover } from "../settings/discover.ts"
import type { Call } from "./command.ts"
import { CommandError, fileError } from "./errors.ts"
import { document, formatOf } from "./format.ts"
import type { Io, Out } from "./io.ts"
import type { Colour } from "./text/colour.ts"

/** A file to check, and whether it is trusted: one that is named is. */
interface Checked {
  readonly shown: string
  readonly path: string
  readonly content: Uint8Array
  readonly trusted: boolean
}

/** Checks policies. 0: good, 1: findings; a warning counts with `--strict`. */
export async function run(call: Call): Promise<number> {
  const { given, io } = call
  const files = filesOf(call)
  const findings = files.flatMap(findingsIn)
  const format = formatOf(call)
  if (format === "json") io.out.line(document(findings))
  else if (format === "ndjson") for (const finding of findings) io.out.line(JSON.stringify(finding))
  else {
    for (const finding of findings) io.out.line(painted(finding, io.out))
    io.err.line(summary(files.length, findings))
  }
  const counts = findings.some(({ severity }) => severity === "error" || given.on("strict"))
  return counts ? 1 : 0
}

function filesOf({ args, io }: Call): Checked[] {
  if (args.length > 0) return [...new Set(args)].map((name) => read(name, io))
  const found = discover({ cwd: io.cwd, env: io.env })
  if (found.length === 0) throw new CommandError("no policy is in force here", "name one: detent check FILE")
  return found
}

function read(name: string, io: Io): Checked {
  const path = resolve(io.cwd, name)
  try {
    return { shown: name, path, content: readFileSync(path), trusted: true }
  } catch (cause) {
    throw fileError(name, cause)
  }
}

function findingsIn({ shown, path, content, trusted }: Checked): readonly Finding[] {
  try {
    return parsePolicyBytes(content, { file: shown, base: dirname(path), trusted }).warnings
  } catch (error) {
    if (error instanceof PolicyError) return error.findings
    throw error
  }
}

const COLOURS: Readonly<Record<Finding["severity"], Colour>> = Object.freeze({ error: "bad", warning: "warning" })

const painted = (finding: Finding, { paint }: Out): string =>
  showFinding(finding).replace(`: ${finding.severity}: `, `: ${paint(COLOURS[finding.severity], finding.severity)}: `)

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`

function summary(files: number, findings: readonly Finding[]): string {
  const count = (severity: Finding["severity"]) => findings.filter((finding) => finding.severity === severity).length
  return `${counted(files, "policy").replace(/ys$/, "ies")} checked: ${counted(count("error"), "error")}, ${counted(count("warning"), "warning")}`
}
