import type { Import, Source } from "./read.ts"
import { ENTRIES, OF_CLI, RINGS, type Ring, rowOf, TABLES } from "./rings.ts"

/** Names that say nothing of what is in the file: a helper lives with the concept it helps. */
const NAMELESS = /^(utils?|helpers|common|misc|lib)$/i

const LONGEST = 250

/** What is wrong with a set of files, one sentence each; empty where all is well. */
export function findFaults(sources: readonly Source[], rings: Readonly<Record<string, Ring>> = RINGS): string[] {
  const known = new Set(sources.map((source) => source.file))
  const faults = sources.flatMap((source) => [
    ...source.imports.flatMap((one) => faultsOfImport(source.file, one, known, rings)),
    ...faultsOfFile(source),
  ])
  return [...faults, ...findCycles(sources)]
}

function faultsOfImport(
  file: string,
  one: Import,
  known: ReadonlySet<string>,
  rings: Readonly<Record<string, Ring>>,
): string[] {
  const from = rowOf(file)
  const row = rings[from]
  if (!row) return [`${file}: \`${from}\` has no row in the table of rings`]
  if (one.kind === "node") return row.node ? [] : [`${file}: \`${from}\` is pure and may not import ${one.target}`]
  if (one.kind === "package") {
    if (row.packages?.includes(one.target)) return []
    return [`${file}: \`${from}\` may not import the package ${one.target}`]
  }
  if (!known.has(one.target)) return [`${file}: imports ${one.target}, which is not there`]
  const to = rowOf(one.target)
  if (to === from || row.may.includes(to)) return []
  if (row.types?.includes(to)) {
    return one.how === "type" ? [] : [`${file}: \`${from}\` may import types alone from ${one.target}`]
  }
  return [`${file}: \`${from}\` may not import ${one.target}`]
}

function faultsOfFile({ file, lines, process, starExports, defaultExport }: Source): string[] {
  const faults: string[] = []
  const nameless = file.split("/").find((part) => NAMELESS.test(part.replace(/\..*$/, "")))
  if (nameless !== undefined) faults.push(`${file}: \`${nameless}\` names no concept`)
  if (lines > LONGEST && !TABLES.includes(file)) faults.push(`${file}: ${lines} lines, over ${LONGEST}`)
  if (starExports > 0) faults.push(`${file}: \`export *\` hides what the surface is`)
  if (defaultExport) faults.push(`${file}: exports are named`)
  if (rowOf(file) === "cli") return faults
  const allowed = ENTRIES[file]?.needs ?? []
  for (const member of process) {
    const reserved = member === "*" || OF_CLI.some((one) => one === member)
    if (reserved && !allowed.includes(member)) faults.push(`${file}: only cli/ may use process.${member}`)
  }
  return faults
}

/** Every cycle of files, types and lazy imports included, told once from its first file in the alphabet. */
export function findCycles(sources: readonly Source[]): string[] {
  const edges = new Map(
    sources.map(({ file, imports }) => [file, [...new Set(imports.map((one) => one.target))].sort()] as const),
  )
  const cycles = new Set<string>()
  const done = new Set<string>()
  const path: string[] = []
  const walk = (file: string): void => {
    const at = path.indexOf(file)
    if (at >= 0) {
      cycles.add(showCycle(path.slice(at)))
      return
    }
    if (done.has(file)) return
    path.push(file)
    for (const next of edges.get(file) ?? []) walk(next)
    path.pop()
    done.add(file)
  }
  for (const file of [...edges.keys()].sort()) walk(file)
  return [...cycles].sort()
}

function showCycle(cycle: readonly string[]): string {
  const first = cycle.indexOf([...cycle].sort()[0] ?? "")
  const turned = [...cycle.slice(first), ...cycle.slice(0, first)]
  return `cycle: ${[...turned, turned[0]].join(" → ")}`
}
