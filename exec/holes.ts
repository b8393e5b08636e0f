import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { constants, Script } from "node:vm"
import { isObject } from "../effects/json.ts"
import { loadAsModule } from "./modules.ts"
import type { Piece, Plan } from "./plan.ts"
import { nameSyntaxError, tellsAll } from "./syntax.ts"

/** What source lines see as `script`. Lines before the import may change the arguments. */
export interface ScriptView {
  readonly file: string | undefined
  args: unknown[]
}

/** What source lines see as `result`. */
export interface ResultView {
  value?: unknown
  error?: unknown
}

type Body = (script: ScriptView, result: ResultView | undefined, require: NodeJS.Require) => Promise<unknown>

/** Runs made-ready code. `import()` and `require` in it start from the working folder. */
export async function runPiece(piece: Piece, script: ScriptView, result?: ResultView): Promise<unknown> {
  if ("broken" in piece) throw tellsAll(new SyntaxError(piece.broken))
  const body = new Script(piece.code, {
    filename: piece.name,
    lineOffset: -1,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  }).runInThisContext() as Body
  return body(script, result, createRequire(join(process.cwd(), "[lines]")))
}

/** Imports the script and gives its result: what its default export is, or answers when it is a function. */
export async function runEntry(plan: Plan, script: ScriptView): Promise<unknown> {
  if ("piece" in plan.script) return runPiece(plan.script.piece, script)
  const { file } = plan.script
  if (!existsSync(file)) throw tellsAll(Object.assign(new Error(`there is no script \`${file}\``), { code: "ENOENT" }))
  const entry = defaultExport(await load(file))
  return typeof entry === "function" ? await entry(...script.args) : await entry
}

async function load(file: string): Promise<object> {
  const url = pathToFileURL(file).href
  loadAsModule(url)
  try {
    return (await import(url)) as object
  } catch (error) {
    throw await nameSyntaxError(error, file)
  }
}

/** A module that was compiled to CommonJS has its default export one step further in. */
function defaultExport(module: object): unknown {
  const entry = "default" in module ? module.default : undefined
  return isObject(entry) && entry.__esModule === true ? entry.default : entry
}

/** Raised where everything has ended but the promise that is awaited. */
export class Unsettled extends Error {
  readonly code = "unsettled"
  constructor() {
    super("the script ended while it was still waiting: a promise that nothing settles is awaited")
  }
}

/** Awaits a step; fails when the process has nothing left to do and the step is still open. */
export async function settled<T>(step: Promise<T>): Promise<T> {
  let stall = (): void => {}
  const stalled = new Promise<never>((_, fail) => {
    stall = () => fail(new Unsettled())
  })
  process.once("beforeExit", stall)
  try {
    return await Promise.race([step, stalled])
  } finally {
    process.removeListener("beforeExit", stall)
  }
}
