import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { dirname, join } from "node:path"

/** This user's number; undefined on a system without one. */
const me = (): number | undefined => process.getuid?.()

/**
 * Whether a folder is a real one (no link), belongs to this user, and nobody else can look into it or write to it.
 */
export function isPrivateFolder(folder: string): boolean {
  try {
    const { mode, uid } = lstatSync(folder)
    return (mode & constants.S_IFMT) === constants.S_IFDIR && uid === (me() ?? uid) && (mode & 0o077) === 0
  } catch {
    return false
  }
}

/** Makes a folder for this user alone if it is not there; answers whether it is private now. Never mends a mode. */
export function ensurePrivateFolder(folder: string): boolean {
  try {
    mkdirSync(dirname(folder), { recursive: true })
    mkdirSync(folder, { mode: 0o700 })
  } catch {
    // It is there already, or it cannot be made: the check below tells which.
  }
  return isPrivateFolder(folder)
}

/** The text of a file of this user's that nobody else can write; undefined for any other, and for one that is not there. */
export function readPrivateFile(path: string): string | undefined {
  let handle: number | undefined
  try {
    handle = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW)
    const stat = fstatSync(handle)
    if (!stat.isFile() || stat.uid !== (me() ?? stat.uid) || (stat.mode & 0o022) !== 0) return undefined
    return readFileSync(handle, "utf8")
  } catch {
    return undefined
  } finally {
    if (handle !== undefined) closeSync(handle)
  }
}

let count = 0

/** Writes a file (0600) so that a reader sees the old text or the new one, never a part. */
export function writePrivateFile(path: string, text: string): void {
  const temporary = join(dirname(path), `.${process.pid}-${++count}-${Date.now()}.tmp`)
  try {
    writeFileSync(temporary, text, { mode: 0o600, flag: "wx" })
    renameSync(temporary, path)
  } catch (cause) {
    rmSync(temporary, { force: true })
    throw cause
  }
}
