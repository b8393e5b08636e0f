import { chmodSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { withSetting } from "../policy/edit.ts"
import { parsePolicyBytes } from "../policy/file.ts"
import type { Layer } from "../policy/policy.ts"
import type { SettingPath } from "./registry.ts"

/** What a change of a file came to. */
export interface Change {
  readonly file: string
  /** absent: it was not said there */
  readonly before?: unknown
  readonly after: unknown
}

/** Where a setting is written: a policy file, which may not be there yet. */
export interface Target {
  readonly path: string
  readonly layer: Layer
}

/**
 * Says one setting in a policy file. A file that is bad, or would be, stays as it is.
 *
 * @throws PolicyError with what is wrong with it; the system's error where it cannot be written.
 */
export function changeSetting({ path: file, layer }: Target, path: SettingPath, after: unknown): Change {
  const old = contentOf(file)
  const options = { file, base: dirname(file), layer }
  if (old !== undefined) parsePolicyBytes(old, options)
  const { text, ...was } = withSetting(old?.toString("utf8"), path, after, file.endsWith(".json"))
  parsePolicyBytes(Buffer.from(text), options)
  replaceFile(file, text, old !== undefined)
  return { file, ...was, after }
}

function contentOf(file: string): Buffer | undefined {
  try {
    return readFileSync(file)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined
    throw cause
  }
}

/** A reader sees the old text or the new one, never a part; a link stays a link, and a file keeps its mode. */
function replaceFile(named: string, text: string, isThere: boolean): void {
  const file = isThere ? realpathSync(named) : named
  if (!isThere) mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const temporary = join(dirname(file), `.${process.pid}-${Date.now()}.tmp`)
  try {
    writeFileSync(temporary, text, { flag: "wx" })
    if (isThere) chmodSync(temporary, statSync(file).mode & 0o7777)
    renameSync(temporary, file)
  } catch (cause) {
    rmSync(temporary, { force: true })
    throw cause
  }
}
