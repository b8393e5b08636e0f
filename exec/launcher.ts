import { inspect } from "node:util"
import type { SourcePhase } from "../policy/policy.ts"
import { captureOutput } from "./capture.ts"
import { readPlan, send } from "./channel.ts"
import { describeThrown } from "./errors.ts"
import { asJson, installGlobals } from "./globals.ts"
import { type ResultView, runEntry, runPiece, type ScriptView, settled, Unsettled } from "./holes.ts"
import { silenceOwnWarning } from "./modules.ts"
import { isToldByMessage } from "./syntax.ts"

// The entry of the child in which a script runs. Its holes, in this order:
//   before · globals · prefix · import and entry point · onSuccess or onError · suffix

const plan = readPlan()
const file = "file" in plan.script ? plan.script.file : undefined
const script: ScriptView = { file, args: [...plan.args] }
const result: ResultView = {}
let told = false

process.argv = [
  process.argv[0]!,
  file ?? "[exec]",
  ...plan.args.map((arg) => (typeof arg === "string" ? arg : inspect(arg))),
]
silenceOwnWarning()
if (plan.frames) captureOutput()
process.on("uncaughtExceptionMonitor", tellError)
void main()

async function main(): Promise<void> {
  const failed = !(await succeeds())
  if (failed) tellError(result.error)
  else tellResult(result.value)
  await guarded("suffix")
  if (failed) raise(result.error)
}

/** Everything but the suffix. A throw in `onSuccess` fails the run; it meets no `onError`: one of the two runs. */
async function succeeds(): Promise<boolean> {
  try {
    await hole("before")
    installGlobals(plan)
    await hole("prefix")
    result.value = asJson(await settled(runEntry(plan, script)), "the script's result")
  } catch (error) {
    result.error = error
    await guarded("onError")
    result.error = error
    return false
  }
  try {
    await hole("onSuccess", result)
    asJson(result.value, "the script's result")
    return true
  } catch (error) {
    delete result.value
    result.error = error
    return false
  }
}

async function hole(phase: SourcePhase, view?: ResultView): Promise<void> {
  const piece = plan.phases[phase]
  if (piece) await settled(runPiece(piece, script, view))
}

/** `onError` and `suffix` watch and change nothing: what they throw is said on stderr and ends there. */
async function guarded(phase: "onError" | "suffix"): Promise<void> {
  try {
    await hole(phase, phase === "suffix" ? { ...result } : result)
  } catch (error) {
    process.stderr.write(`script.${phase} failed: ${inspect(error)}\n`)
  }
}

function tellResult(value: unknown): void {
  told = true
  send(value === undefined ? { type: "result" } : { type: "result", value })
}

/** Tells the first error, which is the run's. One that comes after a result still fails the run. */
function tellError(error: unknown): void {
  if (told && "error" in result) return
  told = true
  result.error = error
  send({ type: "error", error: describeThrown(error) })
}

/** Ends as Node would have: the error on stderr and exit code 1, or 13 for a promise that nothing settles. */
function raise(error: unknown): void {
  process.exitCode ||= error instanceof Unsettled ? 13 : 1
  if (error instanceof Unsettled || isToldByMessage(error)) process.stderr.write(`${error.name}: ${error.message}\n`)
  // Node itself shows the line that made an error which no promise handles
  else if (error instanceof Error) void Promise.reject(error)
  else process.stderr.write(`Uncaught ${inspect(error)}\n`)
}
