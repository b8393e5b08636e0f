import type { z } from "zod"
import { LEVEL_NAMES } from "../effects/levels.ts"
import { FILE_ACTIONS } from "./actions.ts"
import { nearest } from "./nearest.ts"
import { type Part, type Path, type Place, showPath } from "./places.ts"
import { KNOWN_KEYS } from "./schema.ts"

/** What is wrong at one place of a policy, before its line is looked up. */
export interface Problem {
  readonly path: Path
  /** whether the place is the key's or the value's */
  readonly at?: "key" | "value"
  readonly message: string
  readonly hint?: string
  /** the part of a text that is meant */
  readonly part?: Part
  /** the place, where it is in another file: a prompt's own */
  readonly elsewhere?: { readonly file: string } & Partial<Place>
  /** a key too many: what holds it can be looked at without it */
  readonly spare?: true
}

/** Keys that people know from elsewhere, and what to write here. */
const FOREIGN: Readonly<Record<string, string>> = Object.freeze({
  source: "inline source is written as `script.<phase>` at the top of the policy",
  fn: "functions come through the TypeScript API, not from a file",
  function: "functions come through the TypeScript API, not from a file",
  timeout: "write `timeoutMs`, in milliseconds",
  command: 'write `run: ["program", "argument"]`',
  script: "write `script.<phase>` with a dot, such as `script.before`",
  autonomy: "write `autonomy.max` with a dot",
  matcher: "write `when: {tool: …}`",
  allow: "nothing can allow; leave it out",
  deny: 'write `rule: {refuse: "…"}`',
  rules: "write `hooks`",
  if: "write it inside `when`",
  tool: "write it inside `when`",
  server: "write it inside `when`",
})

type KeySet = keyof typeof KNOWN_KEYS

/** Which keys are known at a path. */
function keySetAt(path: Path): KeySet | undefined {
  const [first, , third] = path
  if (path.length === 0) return "top"
  if (first === "hooks") {
    if (path.length === 2) return "hook"
    if (third === "when") return "when"
    if (path.at(-1) === "prompt" && (path.length === 3 || path.length === 6)) return "prompt"
    if (third !== "workflow") return undefined
    return path.length === 3 ? "workflow" : path.length === 5 ? "step" : "edge"
  }
  if (first === "ceilings") return "ceiling"
  if (first === "servers") return third === "annotations" || third === "grant" ? third : "server"
  return first === "model" ? "model" : undefined
}

function unknownKey(path: Path, key: string, top: readonly string[]): Problem {
  const set = keySetAt(path)
  const known: readonly string[] = set === undefined ? [] : set === "top" ? top : KNOWN_KEYS[set]
  const near = nearest(key, known)
  const foreign = Object.hasOwn(FOREIGN, key) ? FOREIGN[key] : undefined
  const hint = foreign ?? (near === undefined ? `known here are ${known.join(", ")}` : `did you mean \`${near}\`?`)
  const where = path.length === 0 ? "" : ` in \`${showPath(path)}\``
  const more = known.length === 0 && foreign === undefined ? {} : { hint }
  return { path: [...path, key], at: "key", message: `unknown key \`${key}\`${where}`, ...more }
}

const valueAt = (root: unknown, path: Path): unknown =>
  path.reduce<unknown>((value, part) => (value as Record<string | number, unknown> | undefined)?.[part], root)

const NOUNS: Readonly<Record<string, string>> = { string: "a text", number: "a number", boolean: "true or false" }

const nounOf = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "a list" : (NOUNS[typeof value] ?? "an object")

const LEVEL_KEYS: readonly unknown[] = ["effect", "floor", "max", "autonomy.max", "hooks.autonomy"]

/** A value that is none of a fixed set. */
function unknownValue(path: Path, value: unknown, values: readonly unknown[]): Problem {
  const key = path.at(-1)
  const names = LEVEL_KEYS.includes(key) ? [...LEVEL_NAMES] : values.map(String)
  const what = LEVEL_KEYS.includes(key) ? "level" : key === "phase" ? "phase" : "value"
  const near = typeof value === "string" ? nearest(value, names) : undefined
  const listed = `one of ${names.join(", ")}`
  const hint = near === undefined ? listed : `did you mean \`${near}\`? It is ${listed}`
  const shown = typeof value === "string" ? `\`${value}\`` : nounOf(value)
  return { path, message: `unknown ${what} ${shown} for \`${showPath(path)}\``, hint }
}

const SHELL_STRING = (command: string): string => `to ask for a shell write ["sh", "-c", ${JSON.stringify(command)}]`

type Issue = z.core.$ZodIssue

/** The alternative that was meant: the one that the value has the type of. */
function meant(issue: Extract<Issue, { code: "invalid_union" }>): readonly Issue[] | undefined {
  const fitting = issue.errors.filter(
    (errors) => !errors.some((error) => error.path.length === 0 && error.code === "invalid_type"),
  )
  return fitting.length === 1 ? fitting[0] : undefined
}

function problemsOf(issue: Issue, root: unknown, base: Path, top: readonly string[]): Problem[] {
  const path = [...base, ...(issue.path as Path)]
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => ({ ...unknownKey(path, key, top), spare: true }))
  if (issue.code === "invalid_union") {
    const inner = meant(issue)
    if (inner !== undefined) return inner.flatMap((error) => problemsOf(error, root, path, top))
  }
  if (issue.code === "invalid_key") {
    const hint = issue.issues[0]?.message
    return [
      {
        path,
        at: "key",
        message: `the name \`${String(path.at(-1))}\` does not fit`,
        ...(hint !== undefined && { hint }),
      },
    ]
  }
  const value = valueAt(root, path)
  if (value === undefined) return [missing(path)]
  if (issue.code === "invalid_value" && issue.values.length > 1) return [unknownValue(path, value, issue.values)]
  const key = path.at(-1)
  if (key === "run" && typeof value === "string") {
    return [
      { path, message: `\`${showPath(path)}\` must be a list of texts, not a shell string`, hint: SHELL_STRING(value) },
    ]
  }
  const said = issue.message.startsWith("must") ? issue.message : `does not fit: ${issue.message.toLowerCase()}`
  const not = issue.code === "invalid_type" || issue.code === "invalid_union" ? `, not ${nounOf(value)}` : ""
  return [{ path, message: `${path.length === 0 ? "a policy" : `\`${showPath(path)}\``} ${said}${not}` }]
}

const missing = (path: Path): Problem => {
  const within = path.slice(0, -1)
  const where = within.length === 0 ? "the policy" : `\`${showPath(within)}\``
  return { path: within, message: `${where} needs \`${String(path.at(-1))}\`` }
}

/**
 * A schema's issues in the words of the house.
 *
 * @param top the keys that are known at the root
 */
export const problemsOfIssues = (
  issues: readonly Issue[],
  root: unknown,
  top: readonly string[] = KNOWN_KEYS.top,
): Problem[] => issues.flatMap((issue) => problemsOf(issue, root, [], top))

/** Exactly one action key a hook or step: what is wrong with the keys of this one. */
export function actionProblem(
  keys: readonly string[],
  path: Path,
  allowed: readonly string[] = FILE_ACTIONS,
): Problem | undefined {
  const given = allowed.filter((kind) => keys.includes(kind))
  if (given.length === 1) return undefined
  const listed = `one of ${allowed.join(", ")}`
  if (given.length === 0) return { path, message: `\`${showPath(path)}\` has no action`, hint: `give it ${listed}` }
  const names = given.map((kind) => `\`${kind}\``).join(" and ")
  return {
    path: [...path, given[1]!],
    at: "key",
    message: `\`${showPath(path)}\` has more than one action: ${names}`,
    hint: `keep ${listed}`,
  }
}
