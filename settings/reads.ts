import { readFileSync } from "node:fs"
import type { Environment } from "./folders.ts"
import { isTrusted } from "./trust.ts"

/** A file that a policy names, and what it held when the policy was compiled. */
export interface ReadFile {
  /** absolute */
  readonly path: string
  readonly text: string
  /** whether it counted, where that rests on what `detent trust` has recorded */
  readonly trusted?: boolean
}

/** Whether a file still holds what it did, and is trusted as it was. */
export function unchanged({ path, text, trusted }: ReadFile, env: Environment): boolean {
  try {
    return readFileSync(path, "utf8") === text && (trusted === undefined || isTrusted(path, text, env) === trusted)
  } catch {
    return false
  }
}
