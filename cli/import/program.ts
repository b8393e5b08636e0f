import { accessSync, constants, existsSync } from "node:fs"
import { resolve } from "node:path"
import type { Imported } from "../../dialects/imported/policy.ts"
import type { Finding } from "../../policy/findings.ts"
import type { Io } from "../io.ts"
import { projectFolder } from "../setup/file.ts"

/** Programs that run the script which is named after them. */
const RUNNERS = /^(?:sh|bash|zsh|dash|node|bun|deno|python3?|ruby|perl)$/

/** Guards whose program is not there: for most hosts they are no guards, and for some they lock everything. */
export function programFindings(imported: readonly Imported[], io: Io): readonly Finding[] {
  const root = projectFolder(io)
  return imported.flatMap(({ command, place, hook }) => {
    const why = typeof command === "string" ? problemOf(command, root) : undefined
    if (why === undefined || hook.id === undefined) return []
    return [{ severity: "warning" as const, message: `\`${String(hook.id)}\`: ${why}`, ...place }]
  })
}

/** What is wrong with the file that a command line starts, as far as its first words say it plainly. */
function problemOf(command: string, root: string): string | undefined {
  const line = command.replaceAll(/"?\$\{?CLAUDE_PROJECT_DIR\}?"?/g, root)
  const [first = "", second = ""] = line.trim().split(/\s+/)
  const script = RUNNERS.test(first) ? second : first
  if (!/^[\w./-]+$/.test(script) || !script.includes("/")) return undefined
  const file = resolve(root, script)
  if (!existsSync(file)) {
    return `\`${script}\` is not there${RUNNERS.test(first) ? ": some interpreters end with 2 then, which locks every tool" : ""}`
  }
  if (script !== first) return undefined
  try {
    accessSync(file, constants.X_OK)
    return undefined
  } catch {
    return `\`${script}\` may not be executed: the guard never runs`
  }
}
