import type { Level } from "../../effects/levels.ts"
import type { HookText } from "../build.ts"
import type { Problem } from "../issues.ts"
import type { Path } from "../places.ts"
import type { Grant, Hook, Matcher } from "../policy.ts"
import type { PromptFiles } from "../prompt-source.ts"

/** One hook under check: as it was written, with its defaults, and where it stands. */
export interface HookSubject {
  readonly text: HookText
  readonly hook: Hook
  readonly path: Path
}

/** One entry of `ceilings` under check. */
export interface CeilingSubject {
  readonly id: string
  readonly if?: unknown
  readonly max: Level
  readonly path: Path
}

/** The `on` of a server's grant under check. */
export interface GrantSubject {
  readonly on: Matcher
  readonly path: Path
}

/** A whole file under check. Entries that the schema refuses are left out. */
export interface PolicySubject {
  readonly hooks: readonly HookSubject[]
  readonly ceilings: readonly CeilingSubject[]
  /** the file's own `autonomy.max`; `run` where it says nothing */
  readonly autonomyMax: Level
  /** the servers that the file declares */
  readonly servers: readonly string[]
  /** what the file says of the hooks of its servers' manifests */
  readonly grants?: readonly GrantSubject[]
  /** where the file is a server's manifest: how far its hooks go */
  readonly grant?: Grant
  /** whether the file's layer is trusted */
  readonly trusted: boolean
  /** absent where no files are read */
  readonly promptFiles?: PromptFiles
}

export type HookCheck = (subject: HookSubject, policy: PolicySubject) => Iterable<Problem>
export type PolicyCheck = (policy: PolicySubject) => Iterable<Problem>

/** The place of one of a hook's own keys. */
export const at = ({ path }: { readonly path: Path }, ...more: Path): Path => [...path, ...more]
