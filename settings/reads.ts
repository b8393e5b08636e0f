import { readFileSync } from "node:fs"

/** A file that a policy names, and what it held when the policy was compiled. */
export interface ReadFile {
  /** absolute */
  readonly path: string
  readonly text: string
}

/** Whether a file still holds what it did. */
export function unchanged({ path, text }: ReadFile): boolean {
  try {
    return readFileSync(path, "utf8") === text
  } catch {
    return false
  }
}
