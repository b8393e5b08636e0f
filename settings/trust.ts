import { createHash } from "node:crypto"
import { realpathSync } from "node:fs"
import { join, resolve } from "node:path"
import { isObject, parseJson } from "../effects/json.ts"
import { type Environment, ownFolder } from "./folders.ts"
import { ensurePrivateFolder, isPrivateFolder, readPrivateFile, writePrivateFile } from "./private.ts"

/** The contents that this user has said to trust: SHA-256 of the bytes, by absolute path. */
type Trusted = Readonly<Record<string, string>>

/** Where it is kept whom this user trusts. */
export const trustFile = (env: Environment): string => join(ownFolder("state", env), "trust.json")

const hashOf = (content: Uint8Array | string): string => createHash("sha256").update(content).digest("hex")

/** The real path, so that a link and its file are one; of a file that is gone, its plain path. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}

/** A store that others could have written, or that is damaged, trusts nothing. */
function readStore(env: Environment): Trusted {
  const folder = ownFolder("state", env)
  const text = isPrivateFolder(folder) ? readPrivateFile(trustFile(env)) : undefined
  try {
    const store = text === undefined ? undefined : parseJson(text)
    const files = isObject(store) && store.version === 1 && isObject(store.files) ? Object.entries(store.files) : []
    return Object.fromEntries(files.filter((entry): entry is [string, string] => typeof entry[1] === "string"))
  } catch {
    return {}
  }
}

function writeStore(env: Environment, files: Trusted): void {
  const folder = ownFolder("state", env)
  if (!ensurePrivateFolder(folder)) {
    throw new Error(`the folder \`${folder}\` must belong to you alone (mode 0700); nothing was recorded`)
  }
  writePrivateFile(trustFile(env), `${JSON.stringify({ version: 1, files }, null, 2)}\n`)
}

/** Whether exactly this content of this file has been recorded as trusted. */
export const isTrusted = (path: string, content: Uint8Array | string, env: Environment): boolean => {
  const files = readStore(env)
  const real = realPath(path)
  return Object.hasOwn(files, real) && files[real] === hashOf(content)
}

/**
 * Records that this content of this file is trusted, in `$XDG_STATE_HOME/detent/trust.json` (0600 in a 0700 folder).
 * Any change of the file takes the trust away again.
 *
 * @throws Error where the folder is open to others.
 */
export const trust = (path: string, content: Uint8Array | string, env: Environment): void =>
  writeStore(env, { ...readStore(env), [realPath(path)]: hashOf(content) })

/** Takes the trust in a file back; answers whether there was any. */
export function distrust(path: string, env: Environment): boolean {
  const { [realPath(path)]: known, ...others } = readStore(env)
  if (known === undefined) return false
  writeStore(env, others)
  return true
}
