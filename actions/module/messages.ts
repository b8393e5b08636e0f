import type { JsonObject } from "../../effects/json.ts"

/** What a worker is started with. */
export interface WorkerStart {
  /** the module's absolute path */
  readonly path: string
}

/** What a worker is told. */
export type ToWorker = { readonly id: number; readonly event: JsonObject } | { readonly abort: number }

/** Why a module that ran to its end, or never began, has no output. */
export type Trouble = "threw" | "unfit" | "unloaded" | "no-function"

/** What a worker answers; without `output` and `trouble`, no opinion. */
export interface FromWorker {
  readonly id: number
  readonly output?: unknown
  readonly trouble?: Trouble
}
