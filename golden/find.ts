import { readdirSync, statSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"

const CASE = ".case.yaml"
const GOLDEN = ".golden.ndjson"
/** Names that were meant to be cases, and that nobody would run. */
const MISNAMED = /\.case\.(yml|json)$/

/** What a folder holds of cases and goldens. Names are relative to it, with slashes, in code-unit order. */
export interface Found {
  readonly dir: string
  /** without their ending */
  readonly cases: readonly string[]
  /** goldens without a case */
  readonly orphans: readonly string[]
  /** files whose name is nearly a case's */
  readonly misnamed: readonly string[]
}

export const caseFile = (dir: string, name: string): string => join(dir, name + CASE)
export const goldenFile = (dir: string, name: string): string => join(dir, name + GOLDEN)

/**
 * Finds the cases under a folder, or the one case that a file is. `node_modules` and folders that begin with a dot are
 * left out; links are not followed.
 *
 * @throws Error where there is no such folder.
 */
export function findCases(path: string): Found {
  const start = resolve(path)
  const stat = statSync(start, { throwIfNoEntry: false })
  if (stat?.isFile() && start.endsWith(CASE)) {
    return { dir: dirname(start), cases: [basename(start, CASE)], orphans: [], misnamed: [] }
  }
  if (!stat?.isDirectory()) throw new Error(`there is no folder \`${path}\`, and no case file of that name`)
  const files = filesUnder(start, "")
  const cases = files.filter((file) => file.endsWith(CASE)).map((file) => file.slice(0, -CASE.length))
  const known = new Set(cases)
  return {
    dir: start,
    cases,
    orphans: files.filter((file) => file.endsWith(GOLDEN) && !known.has(file.slice(0, -GOLDEN.length))),
    misnamed: files.filter((file) => MISNAMED.test(file)),
  }
}

function filesUnder(dir: string, within: string): string[] {
  const files: string[] = []
  for (const entry of readdirSync(join(dir, within), { withFileTypes: true })) {
    const path = within === "" ? entry.name : `${within}/${entry.name}`
    if (entry.isFile()) files.push(path)
    else if (entry.isDirectory() && entry.name !== "node_modules" && !entry.name.startsWith(".")) {
      files.push(...filesUnder(dir, path))
    }
  }
  return within === "" ? files.sort(byCodeUnits) : files
}

const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
