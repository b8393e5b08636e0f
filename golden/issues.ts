import type { z } from "zod"
import { nearest } from "../policy/nearest.ts"
import { type Path, showPath } from "../policy/places.ts"
import { CASE_KEYS } from "./schema.ts"

/** What is wrong at one place of a case, before its line is looked up. */
export interface CaseProblem {
  readonly path: Path
  /** whether the place is the key's or the value's */
  readonly at?: "key" | "value"
  readonly message: string
  readonly hint?: string
}

type Issue = z.core.$ZodIssue

/** A schema's issues in the words of the house: the user's own in backticks, the nearest known one in the hint. */
export const problemsOfIssues = (issues: readonly Issue[], root: unknown, base: Path = []): CaseProblem[] =>
  issues.flatMap((issue) => problemsOf(issue, root, base))

function problemsOf(issue: Issue, root: unknown, base: Path): CaseProblem[] {
  const path = [...base, ...(issue.path as Path)]
  if (issue.code === "unrecognized_keys") return issue.keys.map((key) => unknownKey(path, key))
  if (issue.code === "invalid_union") {
    // The alternative that was meant is the one that the value has the type of.
    const fitting = issue.errors.filter((errors) => !errors.some((error) => error.path.length === 0))
    const meant = fitting.length === 1 ? fitting[0]! : unrecognised(issue.errors)
    if (meant) return problemsOfIssues(meant, root, path)
  }
  if (issue.code === "invalid_key") {
    const hint = issue.issues[0]?.message
    return [{ path, at: "key", message: `the name \`${String(path.at(-1))}\` does not fit`, ...(hint ? { hint } : {}) }]
  }
  const value = path.reduce<unknown>((within, part) => (within as Record<string, unknown> | undefined)?.[part], root)
  if (value === undefined && path.length > 0) return [missing(path)]
  if (issue.code === "invalid_value") return [unknownValue(path, value, issue.values.map(String))]
  const said = issue.message.startsWith("must") ? issue.message : `does not fit: ${issue.message.toLowerCase()}`
  return [{ path, message: `${path.length === 0 ? "a case" : `\`${showPath(path)}\``} ${said}` }]
}

const unrecognised = (alternatives: readonly (readonly Issue[])[]): readonly Issue[] | undefined =>
  alternatives.find((errors) => errors.every(({ code }) => code === "unrecognized_keys"))

function unknownKey(path: Path, key: string): CaseProblem {
  const known = Object.entries(CASE_KEYS).find(([pattern]) => fits(pattern, path))?.[1] ?? []
  const near = nearest(key, known)
  const hint = near === undefined ? `known here are ${known.join(", ")}` : `did you mean \`${near}\`?`
  const what = path[0] === "settings" && path.length === 1 ? "setting" : "key"
  const where = path.length === 0 || what === "setting" ? "" : ` in \`${showPath(path)}\``
  return { path: [...path, key], at: "key", message: `unknown ${what} \`${key}\`${where}`, hint }
}

function fits(pattern: string, path: Path): boolean {
  const parts = pattern === "" ? [] : pattern.split(".")
  return parts.length === path.length && parts.every((part, at) => part === "*" || part === path[at])
}

function unknownValue(path: Path, value: unknown, known: readonly string[]): CaseProblem {
  const shown = typeof value === "string" ? value : JSON.stringify(value)
  const near = typeof value === "string" ? nearest(value, known) : undefined
  const listed = `one of ${known.join(", ")}`
  const hint = near === undefined ? listed : `did you mean \`${near}\`? It is ${listed}`
  return { path, message: `unknown value \`${shown}\` for \`${showPath(path)}\``, hint }
}

function missing(path: Path): CaseProblem {
  const within = path.slice(0, -1)
  const where = within.length === 0 ? "the case" : `\`${showPath(within)}\``
  return { path: within, message: `${where} needs \`${String(path.at(-1))}\`` }
}
