import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { createEngine } from "../actions/engine.ts"
import { junit } from "../golden/junit.ts"
import type { CaseResult } from "../golden/result.ts"
import { type Marks, showCoverage, showResult } from "../golden/show.ts"
import { runSuite, type SuiteOptions, type SuiteResult } from "../golden/suite.ts"
import { updateRefusal } from "../golden/update.ts"
import { watchSuite } from "../golden/watch.ts"
import type { Call } from "./command.ts"
import { CommandError } from "./errors.ts"
import { document, formatOf } from "./format.ts"
import type { Out } from "./io.ts"
import { endWithHooks } from "./signals.ts"
import { oneLine } from "./text/plain.ts"

/** Runs golden cases. 0: all as their goldens say; 1: some not; 2: none could be run. */
export async function run(call: Call): Promise<number> {
  const { args, given, io } = call
  const [dir = "."] = args
  const update = given.on("update")
  const refusal = update ? updateRefusal(io.env) : undefined
  if (refusal !== undefined) throw new CommandError(refusal)
  const path = resolve(io.cwd, dir)
  const options: SuiteOptions = { createEngine, update, live: given.on("live"), coverage: given.on("coverage") }
  endWithHooks()
  if (given.on("watch")) return watch(call, path, options)
  const result = await suiteAt(path, dir, options)
  printSuite(call, result)
  return isGood(result) ? 0 : 1
}

async function suiteAt(path: string, shown: string, options: SuiteOptions): Promise<SuiteResult> {
  if (!existsSync(path)) throw new CommandError(`there is no folder \`${shown}\``)
  const result = await runSuite(path, options)
  if (result.results.length + result.orphans.length > 0) return result
  throw new CommandError(`there are no cases under \`${shown}\``, "a case is a file NAME.case.yaml")
}

const isGood = ({ failed, broken, orphans }: SuiteResult): boolean => failed + broken + orphans.length === 0

/** Prints a whole result in the format or by the reporter that was asked for. */
function printSuite(call: Call, result: SuiteResult): void {
  const { out } = call.io
  const format = formatOf(call)
  if (call.given.value("reporter") === "junit") {
    if (format !== "text") throw new CommandError("`--reporter junit` is a format of its own", "leave `--format` away")
    out.write(junit(result))
  } else if (format === "text") out.line(suiteText(result, out))
  else {
    const { results, files: _, programs: __, ...sum } = result
    if (format === "json") out.line(document({ ...sum, results }))
    else
      for (const line of [...results.map((one) => ({ type: "case", ...one })), { type: "sum", ...sum }])
        out.line(JSON.stringify(line))
  }
}

function suiteText(result: SuiteResult, out: Out): string {
  const { paint } = out
  const { results, orphans, stale, coverage } = result
  const bad = results.flatMap((one) => caseLines(one, out))
  const lost = orphans.map((file) => `${paint("bad", "orphan")} ${oneLine(file)}: a golden without a case`)
  const old = stale.map((file) => `${paint("warning", "stale")} ${oneLine(file)}: no case asks for this recording`)
  const left = coverage ? showCoverage(coverage).map((line) => paint("warning", line)) : []
  return [...bad, ...lost, ...old, ...left, sumLine(result, out)].join("\n")
}

function caseLines(result: CaseResult, { paint }: Out): string[] {
  if (result.outcome === "passed") return []
  if (result.outcome === "updated") return [`${paint("good", "written")} ${oneLine(result.name)}`]
  const marks: Marks = {
    expected: (text) => paint("bad", text),
    got: (text) => paint("good", text),
    faint: (text) => paint("faint", text),
  }
  return [
    `${paint("bad", result.outcome)} ${oneLine(result.name)}`,
    ...showResult(result, marks).map((line) => `  ${line}`),
  ]
}

function sumLine({ passed, failed, broken, updated, orphans }: SuiteResult, { paint }: Out): string {
  const parts = [
    paint("good", `${passed} passed`),
    ...(updated > 0 ? [paint("good", `${updated} written`)] : []),
    failed > 0 ? paint("bad", `${failed} failed`) : `${failed} failed`,
    ...(broken > 0 ? [paint("bad", `${broken} broken`)] : []),
    ...(orphans.length > 0 ? [paint("bad", `${orphans.length} without a case`)] : []),
  ]
  return parts.join(", ")
}

/** Runs at once and after every change, until the user stops it or nobody reads any more. */
async function watch(call: Call, path: string, options: SuiteOptions): Promise<number> {
  const { io } = call
  let code = 0
  const watching = watchSuite(path, options, (result) => {
    code = "error" in result || !isGood(result) ? 1 : 0
    if ("error" in result) io.err.line(`detent: ${result.error.message}`)
    else printSuite(call, result)
    if (io.err.tty) io.err.line(io.err.paint("faint", "watching for changes; Ctrl-C ends it"))
  })
  await new Promise<void>((stop) => {
    process.once("SIGINT", () => stop())
    process.once("SIGTERM", () => stop())
    io.out.onClosed(stop)
  })
  await watching.close()
  return code
}
