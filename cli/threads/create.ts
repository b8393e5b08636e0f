import { readFileSync, statSync } from "node:fs"
import { resolve } from "node:path"
import { readThreadSpec, type ThreadSpec } from "../../dialects/vix/thread.ts"
import type { Call } from "../command.ts"
import { CommandError, fileError } from "../errors.ts"
import { formatOf } from "../format.ts"
import { keepNotice } from "./keep.ts"

/** Keeps a notice for the user: one message, as vix's own command of this name does. */
export async function run(call: Call): Promise<number> {
  const { io } = call
  const reading = readThreadSpec(specText(call))
  if ("problems" in reading) {
    throw new CommandError(`the notice is none: ${reading.problems.join("; ")}`, '{"message": "…", "cwd": "/…"}')
  }
  const { title, unread = true, cwd } = reading.spec
  const message = messageOf(reading.spec)
  if (!isFolder(cwd)) throw new CommandError(`\`cwd\` of the notice is no folder: \`${cwd}\``)
  tellSocket(call)
  const hook = io.env.DETENT_HOOK_ID
  const caller = hook === undefined ? "local" : `vix:${hook}`
  const id = await keepNotice(io.env, { ...(title === undefined ? {} : { title }), message, cwd, unread, caller })
  io.out.line(formatOf(call) === "text" ? id : JSON.stringify({ id }))
  return 0
}

function specText({ given, io }: Call): string {
  const json = given.value("json")
  const file = given.value("file")
  if (json !== undefined && file !== undefined) throw new CommandError("`--json` and `--file` are two notices")
  if (json !== undefined) return json
  return file === undefined ? Buffer.from(io.stdin()).toString("utf8") : textOf(resolve(io.cwd, file))
}

function messageOf({ message, message_file: file }: ThreadSpec): string {
  const text = file === undefined ? (message ?? "") : textOf(file)
  if (text.trim() === "") throw new CommandError("the message is empty")
  return text
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8")
  } catch (cause) {
    throw fileError(path, cause)
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/** The notice is kept in the store that the daemon reads; where no daemon is, nobody else would say so. */
function tellSocket({ given, io }: Call): void {
  const socket = given.value("socket-path")
  if (!socket || statSync(resolve(io.cwd, socket), { throwIfNoEntry: false })?.isSocket()) return
  io.err.line(`detent: nobody listens at \`${socket}\`; the notice is kept, and \`detent threads\` lists it`)
}
