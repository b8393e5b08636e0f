import { resolve } from "node:path"
import { type Imported, importHooks } from "../dialects/imported/policy.ts"
import { importVix } from "../dialects/imported/vix.ts"
import { SetupError } from "../dialects/setup/entries.ts"
import { setupRow } from "../dialects/setup/places.ts"
import { type Finding, showFinding } from "../policy/findings.ts"
import "../policy/match/re2.ts"
import type { Call } from "./command.ts"
import { CommandError } from "./errors.ts"
import { programFindings } from "./import/program.ts"
import { type Source, sourcesOf } from "./import/sources.ts"
import { policyText } from "./import/text.ts"
import { replaceFile, textIn } from "./setup/file.ts"
import { programWords } from "./setup/wanted.ts"

/** Reads the hooks of another host into a policy, and says which of its guards do not hold what they promise. */
export async function run(call: Call): Promise<number> {
  const { args, given, io } = call
  const [agent = "", path] = args
  const program = given.value("command")?.split(" ") ?? programWords()
  const sources = sourcesOf(agent, path, io)
  const imported = sources.flatMap((source) => importedFrom(source, agent, program))
  const { hooks, findings } = together(imported)
  for (const finding of [...findings, ...programFindings(imported, io)]) io.err.line(showFinding(finding))
  const text = policyText(hooks, agent, sources)
  const out = given.value("out")
  if (out === undefined) io.out.write(text)
  else {
    const file = resolve(io.cwd, out)
    if (textIn(file) !== undefined) throw new CommandError(`\`${out}\` is there already`, "name another file: --out")
    replaceFile(file, text)
  }
  io.err.line(`detent: ${hooks.length} hooks from ${sources.length} files`)
  return 0
}

function importedFrom({ file, shown, folder }: Source, agent: string, program: readonly string[]): readonly Imported[] {
  const text = textIn(file) ?? ""
  try {
    if (agent === "vix") return [importVix(text, folder, { file: shown, program })]
    return importHooks(text, { agent, file: shown, shape: setupRow(agent)!.shape, program })
  } catch (cause) {
    if (!(cause instanceof SetupError)) throw cause
    throw new CommandError(`\`${shown}\` cannot be imported: ${cause.message}`, `${agent} does not read it either`)
  }
}

/** What stands in several files runs once, and no two hooks have one id. */
function together(imported: readonly Imported[]): {
  readonly hooks: readonly Imported[]
  readonly findings: readonly Finding[]
} {
  const seen = new Map<string, Imported>()
  const ids = new Map<string, number>()
  const findings: Finding[] = []
  for (const one of imported) {
    findings.push(...one.findings)
    if (one.hook.id === undefined) continue
    const { id, ...rest } = one.hook
    const key = JSON.stringify(rest)
    if (seen.has(key)) {
      const message = `\`${String(id)}\` says what \`${String(seen.get(key)!.hook.id)}\` says: it runs once`
      findings.push({ severity: "warning", message, ...one.place })
      continue
    }
    const count = (ids.get(String(id)) ?? 0) + 1
    ids.set(String(id), count)
    seen.set(key, count === 1 ? one : { ...one, hook: { ...one.hook, id: `${String(id)}-${count}` } })
  }
  return { hooks: [...seen.values()], findings }
}
