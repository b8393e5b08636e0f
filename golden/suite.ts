import { readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import type { PromptText } from "../policy/prompt.ts"
import { Cassettes } from "../prompts/cassettes.ts"
import { type Case, CaseError, readCase } from "./case.ts"
import { compareGolden } from "./compare.ts"
import { type Coverage, CoverageNotes } from "./coverage.ts"
import type { MakeEngine } from "./engine.ts"
import { caseFile, findCases, goldenFile } from "./find.ts"
import { asksModels, compareVerdicts } from "./live.ts"
import type { CaseResult, Ran } from "./result.ts"
import { BrokenCase, runCase } from "./run.ts"
import { writeGolden } from "./update.ts"

export interface SuiteOptions {
  readonly createEngine: MakeEngine
  /** writes goldens in place of comparing with them; ask `updateRefusal` first */
  readonly update?: boolean
  /**
   * asks the models themselves where a case would play a recording, and tells which verdicts have changed; with `update` the
   * answers are recorded
   */
  readonly live?: boolean
  /** takes notes of what no case touches */
  readonly coverage?: boolean
  /** cases at once; default 4 */
  readonly atOnce?: number
  /** each result as soon as it and all before it are there */
  readonly onResult?: (result: CaseResult) => void
}

/** What a folder's cases came to. `failed` and `broken` count cases; a misnamed file is one that is broken. */
export interface SuiteResult {
  readonly results: readonly CaseResult[]
  readonly passed: number
  readonly failed: number
  readonly broken: number
  readonly updated: number
  /** goldens without a case, from the folder */
  readonly orphans: readonly string[]
  /** recordings that no case asks for, absolute: their prompt, event or level has changed since */
  readonly stale: readonly string[]
  readonly coverage?: Coverage
  /** the cases, goldens and policies, absolute */
  readonly files: readonly string[]
  /** what hooks run, or name as an argument, absolute; not all of these need be there */
  readonly programs: readonly string[]
}

/**
 * Runs the cases under a folder, several at once, and tells of them in order.
 *
 * @throws Error where there is no such folder.
 */
export async function runSuite(path: string, options: SuiteOptions): Promise<SuiteResult> {
  const { dir, cases, orphans, misnamed } = findCases(path)
  const notes = new CoverageNotes()
  const shelf = new Shelf()
  const files = new Set<string>()
  const programs = new Set<string>()
  const jobs = [
    ...cases.map((name) => () => runOne(dir, name, options, shelf)),
    ...misnamed.map((name) => async () => ({ result: misnamedResult(dir, name) })),
  ]
  const results: CaseResult[] = []
  await inTurn(jobs, options.atOnce ?? 4, ({ result, ran }: Outcome) => {
    results.push(result)
    if (ran) notes.add(ran)
    for (const file of [result.file, goldenFile(dir, result.name), ran?.one.policyFile]) if (file) files.add(file)
    if (ran) for (const file of programsOf(ran.one)) programs.add(file)
    options.onResult?.(result)
  })
  const count = (outcome: CaseResult["outcome"]) => results.filter((result) => result.outcome === outcome).length
  return {
    results,
    passed: count("passed"),
    failed: count("failed"),
    broken: count("broken"),
    updated: count("updated"),
    orphans,
    stale: options.live && !options.update ? [] : shelf.unused(),
    ...(options.coverage ? { coverage: notes.sum() } : {}),
    files: [...files],
    programs: [...programs],
  }
}

interface Outcome {
  readonly result: CaseResult
  readonly ran?: Ran
}

/** Runs one case and holds it against its golden. */
export async function runOne(dir: string, name: string, options: SuiteOptions, shelf = new Shelf()): Promise<Outcome> {
  const file = caseFile(dir, name)
  const began = performance.now()
  const told = () => ({ name, file, durationMs: performance.now() - began })
  const golden = textOf(goldenFile(dir, name))
  let ran: Ran
  let live = false
  try {
    const one = readCase(file)
    live = options.live === true && asksModels(one)
    const cassettes = shelf.open(one.cassettes)
    if (live && options.update) await runCase(one, options.createEngine, { mode: "record", cassettes })
    const mode = live && !options.update ? "live" : "replay"
    ran = { one, run: await runCase(one, options.createEngine, { mode, cassettes }) }
  } catch (cause) {
    return { result: { ...told(), outcome: "broken", findings: findingsOf(cause, name) } }
  }
  const compare = live && !options.update ? compareVerdicts : compareGolden
  const differences = golden === undefined ? [] : compare(golden, ran.run.text)
  const same = golden !== undefined && differences.length === 0
  if (same) return { result: { ...told(), outcome: "passed" }, ran }
  if (!options.update) {
    return { result: { ...told(), outcome: "failed", missing: golden === undefined, differences }, ran }
  }
  writeGolden(goldenFile(dir, name), ran.run.text)
  return { result: { ...told(), outcome: "updated" }, ran }
}

/** The folders of recordings that a run opens, each once. */
class Shelf {
  readonly #open = new Map<string, Cassettes>()

  open(folder: string): Cassettes {
    const known = this.#open.get(folder)
    if (known) return known
    const cassettes = new Cassettes(folder)
    this.#open.set(folder, cassettes)
    return cassettes
  }

  unused(): string[] {
    return [...this.#open].flatMap(([folder, cassettes]) => cassettes.unused().map((file) => join(folder, file)))
  }
}

function findingsOf(cause: unknown, name: string) {
  if (cause instanceof CaseError) return cause.findings
  if (!(cause instanceof BrokenCase)) throw cause
  return [{ severity: "error" as const, message: cause.message, file: `${name.split("/").at(-1)}.case.yaml` }]
}

function misnamedResult(dir: string, name: string): CaseResult {
  const message = "this file is named nearly like a case, and would never run"
  const findings = [{ severity: "error" as const, message, hint: "name it NAME.case.yaml", file: name }]
  return { name, file: join(dir, name), durationMs: 0, outcome: "broken", findings }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8")
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined
    throw cause
  }
}

function programsOf({ policy, folder }: Case): string[] {
  return policy.hooks.flatMap((hook) => {
    if (hook === null) return []
    const { action, base = folder } = hook
    if (action.kind === "module") return [resolve(base, action.path)]
    if (action.kind === "prompt")
      return typeof action.prompt === "object" ? namesIn(action.prompt).map((file) => resolve(base, file)) : []
    return action.kind === "run" ? action.argv.map((part) => resolve(base, part)) : []
  })
}

/** The files that a prompt and its partials are in. */
const namesIn = ({ file, partials = {} }: PromptText): string[] => [
  ...(file === undefined ? [] : [file]),
  ...Object.values(partials).flatMap((partial) => (typeof partial === "object" ? [partial.file] : [])),
]

/** Runs jobs, at most so many at once, and hands over their answers in the order of the jobs. */
async function inTurn<T>(
  jobs: readonly (() => Promise<T>)[],
  atOnce: number,
  take: (answer: T) => void,
): Promise<void> {
  const answers = new Map<number, T>()
  let next = 0
  let told = 0
  const worker = async (): Promise<void> => {
    while (next < jobs.length) {
      const at = next++
      answers.set(at, await jobs[at]!())
      for (; answers.has(told); told++) take(answers.get(told)!)
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, atOnce) }, worker))
}
