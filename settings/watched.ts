import { dirname, join, resolve } from "node:path"
import type { Action, Hook, Policy } from "../policy/policy.ts"
import { PROJECT_FILES, SYSTEM_FILE, userFile, type Where } from "./discover.ts"
import { trustFile } from "./trust.ts"

/** The files that a policy is looked for in, whether they are there or not, and what says whom to trust. */
export const placesOf = ({ policy, cwd, env, systemFile = SYSTEM_FILE }: Where): string[] => [
  systemFile,
  userFile(env),
  ...(policy === undefined ? [...upward(resolve(cwd)), trustFile(env)] : [resolve(cwd, policy)]),
]

const upward = (folder: string): string[] => {
  const here = PROJECT_FILES.map((name) => join(folder, name))
  return dirname(folder) === folder ? here : [...here, ...upward(dirname(folder))]
}

function filesOfHook({ action, base }: Hook, cwd: string): string[] {
  const from = (file: string): string => resolve(cwd, base ?? ".", file)
  const of = (one: Action): string[] => {
    if (one.kind === "module") return [from(one.path)]
    if (one.kind === "workflow") return Object.values(one.steps).flatMap(({ action: step }) => of(step))
    if (one.kind !== "prompt" || typeof one.prompt === "string") return []
    const { file, partials = {} } = one.prompt
    const named = Object.values(partials).flatMap((partial) => (typeof partial === "string" ? [] : [partial.file]))
    return [...(file === undefined ? [] : [file]), ...named].map(from)
  }
  return of(action)
}

/** The files besides its own that a policy is made of: its servers' manifests, the prompts and modules of its hooks. */
export const filesNamedIn = ({ hooks, servers }: Policy, cwd: string): readonly string[] => [
  ...Object.values(servers).flatMap(({ manifest }) => (manifest === undefined ? [] : [resolve(cwd, manifest)])),
  ...hooks.flatMap((hook) => (hook ? filesOfHook(hook, cwd) : [])),
]
