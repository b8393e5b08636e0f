import { isAbsolute, join, resolve } from "node:path"
import { createActions } from "../../actions/index.ts"
import { type FolderReading, readFolder } from "../../actions/vix/folder.ts"
import type { World } from "../../actions/vix/group.ts"
import { switchedOff } from "../../actions/vix/switches.ts"
import type { JsonObject } from "../../effects/json.ts"
import type { Policy } from "../../policy/policy.ts"
import { homeOf } from "../../settings/folders.ts"
import { cassettesOf } from "../cassettes.ts"
import type { Call } from "../command.ts"
import { keepNotice } from "../threads/keep.ts"

/** The folder of hooks that a call is about: `--dir`, else vix's own. */
export function folderOf({ given, io }: Call): string {
  const dir = given.value("dir")
  if (dir !== undefined) return resolve(io.cwd, dir)
  return join(homeOf(io.env), ".vix", "hooks")
}

export interface Opened extends FolderReading {
  readonly dir: string
}

/** The hooks of the folder, none where it is switched off; what is not in force is said on stderr. */
export async function openFolder(call: Call): Promise<Opened> {
  const { io } = call
  const dir = folderOf(call)
  const off = switchedOff(dir, io.env)
  if (off !== undefined) {
    io.err.line(`detent: no hook of \`${dir}\` is in force: ${off}`)
    return { dir, hooks: [], problems: [], warnings: [] }
  }
  const reading = await readFolder(dir)
  for (const line of [...reading.problems, ...reading.warnings]) io.err.line(`detent: ${line}`)
  return { dir, ...reading }
}

/** The world of a folder's hooks, for as long as `use` runs; then every process that they started ends. */
export async function withWorld<T>(
  call: Call,
  { dir }: Opened,
  { model }: Policy,
  use: (world: World) => Promise<T>,
): Promise<T> {
  const { env, cwd } = call.io
  const runners = createActions({ env, cwd, model, ...cassettesOf(call) })
  try {
    return await use({
      dir,
      runners,
      given: givenOf(),
      notice: ({ id, name = id }, envelope, message) =>
        keepNotice(env, { title: name, message, cwd: folderIn(envelope, cwd), unread: true, caller: `vix:${id}` }),
    })
  } finally {
    await runners.close()
  }
}

const folderIn = ({ cwd }: JsonObject, fallback: string): string =>
  typeof cwd === "string" && isAbsolute(cwd) ? cwd : fallback

/** How a hook calls back: this program, which knows `thread create` as vix does. */
const givenOf = (): JsonObject => ({ vix_bin: process.argv[1] ?? "detent" })
