import type { JsonObject } from "../../effects/json.ts"
import type { ActionContext, ActionResult, ActionRunner } from "../../engine/ports.ts"
import { failed } from "../../frames/failures.ts"
import { answerOf } from "./answer.ts"
import type { ChildEnd } from "./child.ts"
import {
  CUT_VARIABLE,
  declared,
  type Environment,
  freshRun,
  inherited,
  RUN_VARIABLE,
  VARIABLE_LIMIT,
  variables,
} from "./environment.ts"
import { baseOf, folderOf, folderProblem } from "./folder.ts"
import { findProgram, startProblem } from "./program.ts"
import { createSpawner, HELPER_ENDED } from "./spawner.ts"

export interface RunOptions {
  /** where relative folders start; absolute */
  readonly cwd: string
  /** the parent's environment: children see only the allow-list of it */
  readonly env: Environment
  /** bytes of memory above which a helper spawns; default 128 MiB */
  readonly spawnerAbove?: number
}

/** A result with how the child ended, for readers whose contract gives stderr and exit codes a meaning. */
export interface RunResult {
  readonly result: ActionResult
  readonly end?: ChildEnd
}

/** What one run has of its own. */
export interface RunMore {
  /** in the event's place */
  readonly stdin?: string
  /** variables with values from outside: each is taken as it is */
  readonly env?: Readonly<Record<string, string>>
}

export interface RunRunner extends ActionRunner<"run"> {
  /** as `run`, with the child's end and its raw streams beside the result */
  runRaw(argv: readonly string[], event: JsonObject, context: ActionContext, more?: RunMore): Promise<RunResult>
  close(): Promise<void>
}

/** Runs argv arrays, never through a shell: the event as JSON on stdin, one JSON object or nothing on stdout. */
export function createRun(options: RunOptions): RunRunner {
  const base = inherited(options.env)
  const spawner = createSpawner(options.spawnerAbove, base)

  const runRaw: RunRunner["runRaw"] = async (argv, event, context, more = {}) => {
    const { hook, effective, signal } = context
    const notes: string[] = []
    const noted = (result: ActionResult): ActionResult => (notes.length > 0 ? { ...result, notes } : result)
    if (signal.aborted) return { result: { failed: failed("timeout") } }
    const cwd = folderOf(hook, options.cwd, notes)
    const run = freshRun(options.env)
    const vars = variables({ event, hook, effective })
    if (vars[CUT_VARIABLE] !== undefined) notes.push(`cut to ${VARIABLE_LIMIT} bytes: ${vars[CUT_VARIABLE]}`)
    const env: Record<string, string> = {
      ...base,
      ...vars,
      ...declared(hook, options.env, notes),
      ...more.env,
      [RUN_VARIABLE]: run.mark,
    }
    const [name = "", ...args] = argv
    const program = findProgram(name, baseOf(hook, options.cwd), env.PATH, cwd)
    if ("problem" in program) return { result: noted({ failed: failed("spawn", { detail: program.problem }) }) }
    const { file } = program
    const argv0 = name.includes("/") ? file : name
    const stdin = more.stdin ?? JSON.stringify(event)
    const child = spawner.start({ id: run.id, file, argv0, args, cwd, env, stdin, timeoutMs: context.timeoutMs })
    signal.addEventListener("abort", child.stop, { once: true })
    const end = await child.ended
    signal.removeEventListener("abort", child.stop)
    if (end.how !== "unstarted") return { result: noted(answerOf(end)), end }
    const detail = problemOf(end.code, name, file, cwd)
    return { result: noted({ failed: failed("spawn", { detail }) }), end }
  }

  return {
    async run(action, event, context) {
      return (await runRaw(action.argv, event, context)).result
    },
    runRaw,
    close: () => spawner.close(),
  }
}

/** Why a program that was found did not start. */
function problemOf(code: string, name: string, file: string, cwd: string): string {
  if (code === HELPER_ENDED) return `the process that started \`${name}\` has ended`
  return folderProblem(cwd) ?? startProblem(name, file, code)
}
