import { dirname } from "node:path"
import { SetupError, withOurs, withoutOurs } from "../dialects/setup/entries.ts"
import { type FileRow, fileRow, INIT_NAMES, type SetupRow, setupRow } from "../dialects/setup/places.ts"
import { ensurePrivateFolder } from "../settings/private.ts"
import type { Call } from "./command.ts"
import { CommandError } from "./errors.ts"
import { policyOf } from "./policy.ts"
import { fileOf, replaceFile, textIn, thinFile } from "./setup/file.ts"
import { thinText } from "./setup/thin.ts"
import { commandLine, wantedOf } from "./setup/wanted.ts"
import { diffText } from "./text/diff.ts"
import { oneLine } from "./text/plain.ts"

/** What stands in an agent's place where the thin client's file is told of. */
const THIN = "thin client"

/** A file that is to be changed; undefined: it is not there, or is to go. */
interface Change {
  readonly agent: string
  readonly path: string
  readonly before: string | undefined
  readonly after: string | undefined
}

/** Puts Detent in front of agents, or takes it away. Without `--yes` it only shows what it would change. */
export async function run(call: Call): Promise<number> {
  const { given, io } = call
  const agents = given.values("agent")
  if (agents.length === 0) throw new CommandError("init needs --agent NAME", `known are ${INIT_NAMES.join(", ")}`)
  if (given.on("user") && given.on("project")) {
    throw new CommandError("`--user` and `--project` are both given", "keep one of them")
  }
  // A gate whose policy does not load refuses everything, so that such a one is not put up.
  if (!given.on("remove") && !given.on("thin")) await tellPolicy(call)
  const changes = [
    ...(given.on("thin") ? [await thinChange(call)] : []),
    ...agents.map((agent) => changeFor(agent, call)),
  ]
  for (const change of changes) show(change, call)
  const open = changes.filter(({ before, after }) => before !== after)
  if (open.length === 0) return 0
  if (!given.on("yes")) {
    io.err.line("detent: nothing is written yet: `--yes` writes it")
    return 0
  }
  for (const { agent, path, after } of open) {
    // The daemon wants this folder for its user alone, too.
    if (agent === THIN && after !== undefined && !ensurePrivateFolder(dirname(path))) throw notPrivate(dirname(path))
    replaceFile(path, after)
  }
  if (!given.on("remove")) for (const { agent } of open) if (agent !== THIN) tellNote(agent, call)
  return 0
}

const notPrivate = (folder: string): CommandError =>
  new CommandError(`the folder \`${folder}\` must belong to you alone`, `chmod 700 ${folder}`)

function changeFor(agent: string, call: Call): Change {
  const { given, io } = call
  const row = setupRow(agent)
  const path = fileOf((row ?? fileRow(agent))!, given.on("user") ? "user" : "project", io)
  const before = textIn(path)
  try {
    const after = row ? entriesAfter(agent, row, before, call) : fileAfter(agent, fileRow(agent)!, before, call)
    return { agent, path, before, after }
  } catch (cause) {
    if (!(cause instanceof SetupError)) throw cause
    throw new CommandError(`\`${path}\` is left as it is: ${cause.message}`, "mend it by hand first")
  }
}

async function thinChange(call: Call): Promise<Change> {
  const path = thinFile(call.io)
  const after = call.given.on("remove") ? undefined : await thinText(call)
  return { agent: THIN, path, before: textIn(path), after }
}

function entriesAfter(agent: string, row: SetupRow, before: string | undefined, call: Call): string | undefined {
  if (!call.given.on("remove")) return withOurs(before, row, wantedOf(agent, row, call))
  return before && withoutOurs(before, row)
}

function fileAfter(agent: string, row: FileRow, before: string | undefined, call: Call): string | undefined {
  if (before !== undefined && !row.isOurs(before)) throw new SetupError("it is none that `detent init` has written")
  if (call.given.on("remove")) return undefined
  const { timeoutMs } = row
  const command = commandLine({ agent, seconds: timeoutMs / 1000, gates: true }, call)
  return row.text(command, timeoutMs)
}

function show({ agent, path, before, after }: Change, { io: { out } }: Call): void {
  if (before === after) {
    const state = before === undefined ? "is not there" : "stays as it is"
    out.line(`${agent}: ${oneLine(path)} ${state}`)
    return
  }
  const how = before === undefined ? "is made" : after === undefined ? "goes, since nothing else is in it" : "changes"
  out.line(`${agent}: ${oneLine(path)} ${how}`)
  out.line(diffText(before ?? "", after ?? "", out.paint))
}

async function tellPolicy(call: Call): Promise<void> {
  const { policy } = await policyOf(call)
  if (policy.hooks.length > 0) return
  call.io.err.line("detent: no hook is in force here yet: everything would go on")
}

function tellNote(agent: string, { io, given }: Call): void {
  const { note } = (setupRow(agent) ?? fileRow(agent))!
  if (note !== undefined) io.err.line(`detent: ${note}`)
  if (given.on("thin")) io.err.line("detent: `detent serve` has to run: without it, what can be refused is")
  if (given.value("command") === undefined && !given.on("user")) {
    io.err.line("detent: the file names this machine's paths; for one that others share, give `--command detent`")
  }
}
