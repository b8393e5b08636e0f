import { dirname, join } from "node:path"
import { findProgram } from "../../actions/run/program.ts"
import { gates } from "../../dialects/ceiling.ts"
import { commandIn, PLUGIN_GATE } from "../../dialects/opencode/plugin.ts"
import { SetupError } from "../../dialects/setup/entries.ts"
import { type Gap, gapsOf, gatesOf, type Ours, oursIn, switchedOff } from "../../dialects/setup/gaps.ts"
import { fileRow, type SetupRow, setupRow } from "../../dialects/setup/places.ts"
import type { Io } from "../io.ts"
import { fileOf, textIn } from "../setup/file.ts"

/** What the configuration of an agent says of Detent. */
export interface Look {
  /** those that name Detent */
  readonly files: readonly string[]
  readonly gaps: readonly Gap[]
  /** the command lines that answer, with the event of each: the first is the one before a tool */
  readonly commands: readonly Pick<Ours, "event" | "command">[]
}

/** Reads all the configuration that an agent would read here. */
export function lookAt(agent: string, io: Io): Look {
  const row = setupRow(agent)
  return row ? lookAtEntries(agent, row, io) : lookAtPlugin(agent, io)
}

function lookAtEntries(agent: string, row: SetupRow, io: Io): Look {
  const ours: Ours[] = []
  const gaps: Gap[] = []
  for (const file of placesOf(agent, row, io)) {
    const text = textIn(file)
    if (text === undefined) continue
    try {
      const found = oursIn(text, agent, row, file)
      ours.push(...found)
      gaps.push(...found.flatMap((one) => [...gapsOf(agent, one), ...startGaps(one, io)]))
      if (switchedOff(text)) gaps.push({ kind: "open", message: "`disableAllHooks` is set: no hook runs", file })
    } catch (cause) {
      if (!(cause instanceof SetupError)) throw cause
      gaps.push({ kind: "open", message: `nobody can read it: ${cause.message}`, file })
    }
  }
  const files = [...new Set(ours.map(({ file }) => file))]
  if (ours.length > 0) gaps.push(...missing(agent, row, ours), ...(agent === "codex" ? codexGaps(row, io) : []))
  if (files.length > 1)
    gaps.push({ kind: "note", message: `${files.join(" and ")} both name Detent: it is asked twice` })
  const [before] = gatesOf(agent, row)
  const first = (event: string): number => (event === before ? 0 : 1)
  return { files, gaps, commands: ours.toSorted((a, b) => first(a.event) - first(b.event)) }
}

function placesOf(agent: string, row: SetupRow, io: Io): readonly string[] {
  const [project, user] = [fileOf(row, "project", io), fileOf(row, "user", io)]
  return agent === "claude-code" ? [project, project.replace(/\.json$/, ".local.json"), user] : [project, user]
}

const missing = (agent: string, row: SetupRow, ours: readonly Ours[]): readonly Gap[] =>
  gatesOf(agent, row)
    .filter((event) => !ours.some((one) => one.event === event))
    .map((event) => ({ kind: "open", message: `${event}: Detent is not asked: \`detent init\` adds it` }))

/** What only Codex has: a switch in its other file, and a trust that no file shows. */
function codexGaps(row: SetupRow, io: Io): readonly Gap[] {
  const files = (["project", "user"] as const).map((scope) => join(dirname(fileOf(row, scope, io)), "config.toml"))
  const off = files.filter((file) => /^\s*(codex_)?hooks\s*=\s*false/m.test(textIn(file) ?? ""))
  return [
    ...off.map((file): Gap => ({ kind: "open", message: "`hooks = false` switches all hooks off", file })),
    {
      kind: "note",
      message: "whether Codex trusts the hook (`/hooks`) cannot be seen from outside; without it, it never runs",
    },
  ]
}

/** A command that cannot start: closed, it refuses everything; open, everything goes on. */
function startGaps({ event, command, file, line, row }: Ours, io: Io): readonly Gap[] {
  const words = [...command.matchAll(/'((?:[^']|'\\'')*)'|(\S+)/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll("'\\''", "'") ?? plain!,
  )
  const problems = words.slice(0, words.indexOf("hook")).flatMap((word, index) => {
    if (index > 0 && !word.startsWith("/")) return []
    const program = findProgram(word, io.cwd, io.env.PATH, io.cwd)
    // A script that Node runs need not be executable.
    return "problem" in program && (index === 0 || textIn(word) === undefined) ? [program.problem] : []
  })
  const refuses = command.includes("|| exit 2")
  const kind = refuses || (row && !gates(row)) ? "note" : "open"
  const then = refuses ? "everything is refused" : kind === "open" ? "everything goes on" : "Detent is not told of it"
  return problems.map((problem): Gap => ({ kind, message: `${event}: ${problem}: ${then}`, file, line }))
}

function lookAtPlugin(agent: string, io: Io): Look {
  const row = fileRow(agent)!
  const found = (["project", "user"] as const).flatMap((scope) => {
    const file = fileOf(row, scope, io)
    const text = textIn(file)
    const command = text !== undefined && row.isOurs(text) ? commandIn(text) : undefined
    return command === undefined
      ? []
      : [{ file, command, event: PLUGIN_GATE, line: 1, entry: {}, matcher: undefined, row: undefined }]
  })
  const files = found.map(({ file }) => file)
  const twice =
    files.length > 1 ? [{ kind: "note" as const, message: "two plugins ask Detent: each hook runs twice" }] : []
  return { files, commands: found, gaps: [...found.flatMap((one) => startGaps(one, io)), ...twice] }
}
