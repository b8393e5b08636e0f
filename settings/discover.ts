import { dirname, join, resolve } from "node:path"
import { type Finding, PolicyError } from "../policy/findings.ts"
import type { Layer } from "../policy/policy.ts"
import { contentOf } from "./content.ts"
import { type Environment, ownFolder } from "./folders.ts"
import { isTrusted } from "./trust.ts"

/** A policy file that is there, with its bytes. */
export interface FoundFile {
  readonly layer: Layer
  /** absolute */
  readonly path: string
  /** as findings and origins show it: what the caller wrote, else the path */
  readonly shown: string
  readonly content: Buffer
  readonly trusted: boolean
  /** nobody named it, so the files that it names for hooks have to be trusted as it has */
  readonly found?: true
}

export interface Where {
  /** a policy that someone named: it stands in for the project's own and is trusted */
  readonly policy?: string
  readonly cwd: string
  readonly env: Environment
  /** the system's policy file; `/etc/detent/policy.yaml` */
  readonly systemFile?: string
  /** when (ms, as `Date.now` counts) somebody no longer waits: a pipe that has not given its policy by then cannot be read */
  readonly until?: number
}

export const SYSTEM_FILE = "/etc/detent/policy.yaml"

/** This user's policy file. */
export const userFile = (env: Environment): string => join(ownFolder("config", env), "policy.yaml")

export const PROJECT_FILES = Object.freeze(["detent.yaml", "detent.json"] as const)

const cannotRead = (shown: string, cause: unknown): never => {
  const code = (cause as NodeJS.ErrnoException).code
  const missing = code === "ENOENT" || code === "ENOTDIR"
  const message = missing
    ? `the policy \`${shown}\` is not there`
    : `the policy \`${shown}\` cannot be read (${code ?? "unknown"})`
  throw new PolicyError([{ severity: "error", message, file: shown } satisfies Finding])
}

/** The bytes of a file; undefined where there is none. Anything else that hinders the reading is an error, not silence. */
function readIfThere(path: string, until?: number): Buffer | undefined {
  try {
    return contentOf(path, until)
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code
    return code === "ENOENT" || code === "ENOTDIR" ? undefined : cannotRead(path, cause)
  }
}

function named(policy: string, cwd: string, until?: number): FoundFile {
  const path = resolve(cwd, policy)
  try {
    return { layer: "project", path, shown: policy, content: contentOf(path, until), trusted: true }
  } catch (cause) {
    return cannotRead(policy, cause)
  }
}

/** The project's file nearest upward from a folder. Two in one folder are an error: either might be the one meant. */
function nearestUpward(cwd: string, env: Environment, until?: number): FoundFile | undefined {
  for (const folder of upward(cwd)) {
    const found = PROJECT_FILES.flatMap((name) => {
      const path = join(folder, name)
      const content = readIfThere(path, until)
      return content === undefined ? [] : [{ path, content }]
    })
    const [first, second] = found
    if (first !== undefined && second !== undefined) {
      const message = `\`${first.path}\` and \`${second.path}\` are both there`
      throw new PolicyError([{ severity: "error", message, file: second.path, hint: "keep one of them" }])
    }
    if (first !== undefined) {
      return {
        layer: "project",
        found: true,
        shown: first.path,
        trusted: isTrusted(first.path, first.content, env),
        ...first,
      }
    }
  }
  return undefined
}

/** A folder and all above it, nearest first. */
function upward(cwd: string): readonly string[] {
  const folders = [resolve(cwd)]
  for (let above = dirname(folders[0]!); above !== folders.at(-1); above = dirname(above)) folders.push(above)
  return folders
}

/** Every file that a policy may be in, for whoever wants to know first whether they can be reached. */
export function candidates({ policy, cwd, env, systemFile = SYSTEM_FILE }: Where): readonly string[] {
  const ofProject = (folder: string) => PROJECT_FILES.map((name) => join(folder, name))
  return [
    systemFile,
    userFile(env),
    ...(policy === undefined ? upward(cwd).flatMap(ofProject) : [resolve(cwd, policy)]),
  ]
}

/**
 * The policy files in force for a folder, lowest layer first: the system's, the user's, and the one that was named or,
 * without one, the project's own.
 *
 * @throws PolicyError where a file cannot be read: never a start without its guards.
 */
export function discover({ policy, cwd, env, systemFile = SYSTEM_FILE, until }: Where): FoundFile[] {
  const own = (layer: Layer, path: string): FoundFile[] => {
    const content = readIfThere(path, until)
    return content === undefined ? [] : [{ layer, path, shown: path, content, trusted: true }]
  }
  const project = policy === undefined ? nearestUpward(cwd, env, until) : named(policy, cwd, until)
  return [...own("system", systemFile), ...own("user", userFile(env)), ...(project === undefined ? [] : [project])]
}
