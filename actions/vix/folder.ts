import { lstatSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { readSpec, type VixAction, type VixHook } from "../../dialects/vix/spec.ts"
import { workflowSchema } from "../../dialects/vix/workflow.ts"
import { isObject, type JsonObject, parseJson, withoutMark } from "../../effects/json.ts"
import { regexNeedsEngine, registerRegexEngine } from "../../policy/match/regex.ts"

/** One hook, and the folder that its own files are in. */
export interface FolderHook extends VixHook {
  readonly folder: string
}

/** What a folder of hooks holds, as it is now. */
export interface FolderReading {
  readonly hooks: readonly FolderHook[]
  /** what is not in force, and why: one sentence each, with the file */
  readonly problems: readonly string[]
  /** what is in force, and may not be what was meant */
  readonly warnings: readonly string[]
}

/**
 * Reads a folder of `<id>/hook.json`. What is wrong with one of them takes nothing from the others.
 *
 * @param dir absolute
 */
export async function readFolder(dir: string): Promise<FolderReading> {
  const found = specsIn(dir)
  const problems: string[] = [...found.problems]
  const warnings: string[] = []
  const hooks: FolderHook[] = []
  // A matcher that is more than names needs the engine: it takes longer to load than everything else here.
  if (found.specs.some(needsEngine)) registerRegexEngine((await import("../../policy/match/re2.ts")).re2)
  for (const { name, file, text } of found.specs) {
    const spec = readSpec(text, name)
    if ("problems" in spec) {
      problems.push(...spec.problems.map((problem) => `\`${file}\` is skipped: ${problem}`))
      continue
    }
    const { hook } = spec
    const action = resolved(hook.action, dir)
    const double = hooks.find(({ id }) => id === hook.id)
    if ("problem" in action) problems.push(`\`${file}\` is skipped: ${action.problem}`)
    else if (double) problems.push(`\`${file}\` is skipped: \`${hook.id}\` is the id of \`${double.folder}\`, too`)
    else hooks.push({ ...hook, action, folder: join(dir, name) })
    warnings.push(...spec.warnings.map((warning) => `\`${file}\`: ${warning}`))
  }
  return { hooks, problems, warnings }
}

function needsEngine({ text }: Spec): boolean {
  try {
    const { trigger } = JSON.parse(withoutMark(text)) as JsonObject
    return isObject(trigger) && typeof trigger.matcher === "string" && regexNeedsEngine(trigger.matcher)
  } catch {
    return false
  }
}

interface Spec {
  readonly name: string
  readonly file: string
  readonly text: string
}

function specsIn(dir: string): { readonly specs: readonly Spec[]; readonly problems: readonly string[] } {
  const problems: string[] = []
  const specs: Spec[] = []
  for (const name of namesIn(dir, problems)) {
    const file = join(dir, name, "hook.json")
    try {
      specs.push({ name, file, text: readFileSync(file, "utf8") })
    } catch (cause) {
      if (!isNoHook(cause, file)) problems.push(`\`${file}\` is skipped: it cannot be read (${codeOf(cause)})`)
    }
  }
  return { specs, problems }
}

function namesIn(dir: string, problems: string[]): readonly string[] {
  try {
    return readdirSync(dir)
      .filter((name) => !name.startsWith("."))
      .sort()
  } catch (cause) {
    if (codeOf(cause) !== "ENOENT")
      problems.push(`no hook of \`${dir}\` is in force: it cannot be read (${codeOf(cause)})`)
    return []
  }
}

/** A folder without a spec is no hook; a link that leads nowhere is one that is lost. */
function isNoHook(cause: unknown, file: string): boolean {
  if (codeOf(cause) === "ENOTDIR") return true
  return codeOf(cause) === "ENOENT" && !isLink(file) && !isLink(dirname(file))
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink()
  } catch {
    return false
  }
}

const codeOf = (cause: unknown): string => (cause as NodeJS.ErrnoException).code ?? "error"

/** A workflow's name becomes the workflow of `config/workflow.json`, which stands beside the folder. */
function resolved(action: VixAction, dir: string): VixAction | { readonly problem: string } {
  if (action.kind !== "workflow_id") return action
  const file = join(dirname(dir), "config", "workflow.json")
  let value: unknown
  try {
    value = parseJson(readFileSync(file, "utf8"))
  } catch (cause) {
    const why = cause instanceof SyntaxError ? "is no JSON" : `cannot be read (${codeOf(cause)})`
    return { problem: `\`workflow_id\` names \`${action.id}\`, and \`${file}\` ${why}` }
  }
  const entry = entriesIn(value).find(([name]) => name === action.id)
  if (!entry) return { problem: `\`workflow_id\` names \`${action.id}\`, which is not in \`${file}\`` }
  const checked = workflowSchema.safeParse(entry[1])
  if (checked.success) return { kind: "workflow", workflow: checked.data }
  const { path, message } = checked.error.issues[0]!
  return { problem: `the workflow \`${action.id}\` in \`${file}\` is invalid: \`${path.join(".")}\` ${message}` }
}

/** By name in an object, or in a list by each entry's own name; in the file itself, or in its `workflows`. */
function entriesIn(value: unknown): readonly (readonly [string, unknown])[] {
  const held =
    isObject(value) && (isObject(value.workflows) || Array.isArray(value.workflows)) ? value.workflows : value
  if (Array.isArray(held)) return held.map((entry) => [isObject(entry) ? String(entry.name) : "", entry])
  return isObject(held) ? Object.entries(held) : []
}
