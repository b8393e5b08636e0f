import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from "node:crypto"
import { linkSync, lstatSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { canonicalJson } from "../../effects/json.ts"
import { StoreError } from "../errors.ts"
import type { Checkpoint, CheckpointBody } from "./row.ts"

/** A public key that signatures are checked with. */
export interface Verifier {
  readonly id: string
  readonly pem: string
  checks(checkpoint: Checkpoint): boolean
}

/** The key beside the store: what it signs, and the public half of it. */
export interface Signer extends Verifier {
  sign<T extends Omit<CheckpointBody, "key">>(body: T): T & Checkpoint
}

/**
 * The key in a file; with `make`, one is made where there is none.
 *
 * @throws StoreError where others can read the file, or it holds no Ed25519 key.
 */
export function signerOf(path: string, make: boolean): Signer | undefined {
  if (make && !lstatSync(path, { throwIfNoEntry: false })) makeKey(path)
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (!stat) return undefined
  if (!stat.isFile() || stat.uid !== (process.getuid?.() ?? stat.uid) || (stat.mode & 0o077) !== 0) {
    throw new StoreError(`\`${path}\` must be a file that belongs to you alone`, `chmod 600 ${path}`)
  }
  const secret = keyIn(path, () => createPrivateKey(readFileSync(path)))
  const known = verifierOf(createPublicKey(secret))
  return {
    ...known,
    sign(body) {
      const whole = { ...body, key: known.id }
      return { ...whole, signature: sign(null, Buffer.from(canonicalJson(whole)), secret).toString("base64") }
    },
  }
}

/** @throws StoreError where the text is no public Ed25519 key. */
export const readVerifier = (pem: string, name: string): Verifier => verifierOf(keyIn(name, () => createPublicKey(pem)))

function verifierOf(key: KeyObject): Verifier {
  const pem = key.export({ type: "spki", format: "pem" }).toString()
  return {
    id: createHash("sha256")
      .update(key.export({ type: "spki", format: "der" }))
      .digest("hex")
      .slice(0, 16),
    pem,
    checks({ signature, ...body }) {
      return verify(null, Buffer.from(canonicalJson(body)), key, Buffer.from(signature, "base64"))
    },
  }
}

function keyIn(name: string, read: () => KeyObject): KeyObject {
  try {
    const key = read()
    if (key.asymmetricKeyType === "ed25519") return key
  } catch {
    // It is said below: what the text was like is nobody's affair.
  }
  throw new StoreError(`\`${name}\` holds no Ed25519 key`, "restore the file that was there when the record began")
}

/** A link is made only where nothing has the name: of two that make a key at once, both go on with the same one. */
function makeKey(path: string): void {
  const { privateKey } = generateKeyPairSync("ed25519")
  const fresh = `${path}.${process.pid}.tmp`
  try {
    writeFileSync(fresh, privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 })
    linkSync(fresh, path)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code !== "EEXIST")
      throw new StoreError(`\`${path}\` cannot be made: ${code}`, "its folder must be yours to write")
  } finally {
    rmSync(fresh, { force: true })
  }
}
