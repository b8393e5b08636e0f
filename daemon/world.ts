import type { Flags } from "../settings/given.ts"
import type { AuditStore } from "../store/ports.ts"

/** What the process hands over: the daemon itself reads no argument, no variable and no stream of it. */
export interface World {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** where it remembers: this user's alone */
  readonly folder: string
  /** the policy that was named, in place of the project's own */
  readonly policy?: string
  /** settings given at the start, by path */
  readonly flags: Flags
  /** where decisions are written down, in place of the file that the settings name */
  readonly audit?: Pick<AuditStore, "append">
  /** takes whole log lines */
  readonly log: (text: string) => void
}
