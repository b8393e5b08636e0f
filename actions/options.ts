import type { ActionRunner } from "../engine/ports.ts"
import type { ModelSettings } from "../policy/prompt.ts"
import type { CassetteOptions } from "../prompts/tape.ts"
import type { Environment } from "./run/environment.ts"

/** What the actions that touch the world are made of. */
export interface ActionOptions {
  /** where relative folders start; default: the process's working folder */
  readonly cwd?: string
  /** the environment that hooks get an allow-list of */
  readonly env: Environment
  /** runs the `rule` steps of workflows */
  readonly rule?: ActionRunner<"rule">
  /** bytes of this process's memory above which programs are started through a helper; default 128 MiB */
  readonly spawnerAbove?: number
  /** the model that prompts ask; absent: none */
  readonly model?: ModelSettings
  /** recordings of what models answered */
  readonly cassettes?: CassetteOptions
}
