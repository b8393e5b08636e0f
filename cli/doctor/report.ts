import type { Gap } from "../../dialects/setup/gaps.ts"
import type { Tried } from "./live.ts"
import type { Found } from "./programs.ts"

/** What is known of one agent. */
export interface Report {
  readonly agent: string
  readonly found?: Found
  /** the configuration that names Detent */
  readonly files: readonly string[]
  readonly gaps: readonly Gap[]
  /** absent: not tried */
  readonly live?: Tried
}
