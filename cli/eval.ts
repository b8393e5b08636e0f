import { existsSync, readdirSync, statSync } from "node:fs"
import { join, relative, resolve } from "node:path"
import { createEngine } from "../actions/engine.ts"
import type { Level } from "../effects/levels.ts"
import { runAdversarial } from "../govern/eval/adversarial.ts"
import { type EvalOptions, type EvalResult, runEval, type Side } from "../govern/eval/run.ts"
import { type EvalSet, policyAt, readSet } from "../govern/eval/set.ts"
import { type Marks, showEval } from "../govern/eval/show.ts"
import type { Policy } from "../policy/policy.ts"
import type { ModelSettings } from "../policy/prompt.ts"
import { fromFlags } from "../settings/given.ts"
import { policyOfSettings } from "../settings/put.ts"
import type { Call } from "./command.ts"
import { CommandError } from "./errors.ts"
import { document, formatOf } from "./format.ts"
import { endWithHooks } from "./signals.ts"
import { oneLine } from "./text/plain.ts"

/** Judges prompt hooks by labelled events. 0: judged; 1: one is below what was asked for; 2: could not be judged. */
export async function run(call: Call): Promise<number> {
  const { args, given, io } = call
  const [dir = "."] = args
  const failUnder = numberOf(call, "fail-under", 0, 100)
  const samples = numberOf(call, "samples", 1, 1000) ?? 1
  const said = policyOfSettings("flags", fromFlags(given.settings))
  const mode = given.on("live") ? (given.on("update") ? "record" : "live") : "replay"
  if (mode === "replay" && given.on("update")) {
    throw new CommandError("`--update` records what models say", "ask them with `--live --update`")
  }
  const files = setsUnder(resolve(io.cwd, dir), dir)
  const policy = given.value("policy")
  endWithHooks()
  const named = policy === undefined ? undefined : { path: resolve(io.cwd, policy), shown: policy }
  if (given.on("adversarial"))
    return adversarial(
      call,
      files.map((file) => readSet(file, named)),
      settingsOf(said),
    )
  const results: EvalResult[] = []
  for (const file of files) {
    const set = readSet(file, named)
    const sides = sidesOf(set, said.model, call)
    results.push(await runEval(set, sides, { createEngine, settings: settingsOf(said), mode, samples }))
  }
  print(call, results)
  if (results.some(({ missing }) => missing.length > 0)) {
    io.err.line(
      "detent: recordings are missing: `detent eval --live --update` asks the models and records what they say",
    )
    return 2
  }
  const accuracies = results.flatMap(({ hooks }) => hooks.map(({ score }) => score.accuracy * 100))
  return failUnder !== undefined && accuracies.some((accuracy) => accuracy < failUnder) ? 1 : 0
}

/** Gives each prompt hook the answers of a hostile model. 0: all came to what the table says; 1: some did not. */
async function adversarial(call: Call, sets: readonly EvalSet[], settings: EvalOptions["settings"]): Promise<number> {
  const { out } = call.io
  const results = []
  for (const set of sets) results.push(await runAdversarial(set, { createEngine, settings }))
  const format = formatOf(call)
  if (format === "json") out.line(document(results))
  else if (format === "ndjson") for (const result of results) out.line(JSON.stringify(result))
  else {
    for (const { file, tried, deviations } of results) {
      const bad = deviations.length > 0
      const sum = `${tried} hostile answers: ${tried - deviations.length} came to what the table says`
      out.line(`${out.paint("strong", oneLine(relative(call.io.cwd, file)))}  ${out.paint(bad ? "bad" : "good", sum)}`)
      for (const { hook, answer, level, expected, got } of deviations) {
        out.line(out.paint("bad", oneLine(`  ${hook}, \`${answer}\` at ${level}: ${got}; the table says ${expected}`)))
      }
    }
  }
  return results.some(({ deviations }) => deviations.length > 0) ? 1 : 0
}

function numberOf({ given }: Call, flag: string, least: number, most: number): number | undefined {
  const text = given.value(flag)
  if (text === undefined) return undefined
  const value = Number(text)
  const whole = flag !== "samples" || Number.isInteger(value)
  if (text.trim() !== "" && whole && value >= least && value <= most) return value
  throw new CommandError(`\`--${flag}\` is a number from ${least} to ${most}, not \`${text}\``)
}

const ENDING = ".eval.yaml"

/** The sets under a folder, or the one file that was named. */
function setsUnder(path: string, shown: string): string[] {
  if (!existsSync(path)) throw new CommandError(`there is no folder \`${shown}\``)
  if (statSync(path).isFile()) return [path]
  const found = readdirSync(path, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ENDING) && !name.split(/[\\/]/).some((part) => part === "node_modules"))
    .sort()
  if (found.length === 0) throw new CommandError(`there is no set under \`${shown}\``, `a set is a file NAME${ENDING}`)
  return found.map((name) => join(path, name))
}

const settingsOf = ({ autonomyMax, hooksAutonomy }: Policy): { "autonomy.max"?: Level; "hooks.autonomy"?: Level } => ({
  ...(autonomyMax[0] ? { "autonomy.max": autonomyMax[0].value } : {}),
  ...(hooksAutonomy ? { "hooks.autonomy": hooksAutonomy.value } : {}),
})

/** The set's own policy, and what `--against` names: another policy, or another model for the same one. */
function sidesOf({ policy }: EvalSet, model: ModelSettings, { given, io }: Call): Side[] {
  const against = given.value("against")
  const own: Side = { name: model.name ?? policy.model.name ?? policy.file ?? "the policy", policy, model }
  if (against === undefined) return [own]
  const isFile = /\.(ya?ml|json)$/.test(against) || existsSync(resolve(io.cwd, against))
  if (!isFile) return [own, { name: against, policy, model: { ...model, name: against } }]
  const other = policyAt(resolve(io.cwd, against), against)
  return [
    { ...own, name: policy.file ?? own.name },
    { name: against, policy: other, model },
  ]
}

function print(call: Call, results: readonly EvalResult[]): void {
  const { out } = call.io
  const format = formatOf(call)
  if (format === "json") out.line(document(results))
  else if (format === "ndjson") {
    for (const { file, hooks, missing } of results) {
      for (const hook of hooks) out.line(JSON.stringify({ type: "judge", file, ...hook }))
      for (const one of missing) out.line(JSON.stringify({ type: "missing", file, ...one }))
    }
  } else {
    const marks: Marks = {
      strong: (text) => out.paint("strong", text),
      good: (text) => out.paint("good", text),
      bad: (text) => out.paint("bad", text),
      faint: (text) => out.paint("faint", text),
    }
    out.line(
      results
        .map((result) => showEval(relative(call.io.cwd, result.file), result, marks).map(safe).join("\n"))
        .join("\n\n"),
    )
  }
}

/** Names come from files; colours are ours. */
const safe = (line: string): string => (line.includes("\u001b") ? line : oneLine(line))
