import type { JsonObject } from "../effects/json.ts"
import type { Level } from "../effects/levels.ts"
import type { Engine } from "../engine/engine.ts"
import type { ActionRunners, Happening, Ports } from "../engine/ports.ts"
import type { Frame } from "../frames/frames.ts"
import type { Policy } from "../policy/policy.ts"
import type { CassetteOptions } from "../prompts/tape.ts"

/** What a case asks of an engine. */
export interface CaseEngineOptions {
  readonly policy: Policy
  readonly settings: { readonly "autonomy.max"?: Level; readonly "hooks.autonomy"?: Level }
  readonly tools: Readonly<Record<string, { readonly inputSchema?: JsonObject }>>
  readonly ask?: NonNullable<Ports["ask"]>
  readonly publish: (happening: Happening) => void
  readonly onObserved: (frame: Frame) => void
  readonly cwd: string
  /** absent: models are asked, and nothing is recorded */
  readonly cassettes?: CassetteOptions
  /** no server is started: what comes with one counts as if it were */
  readonly down: NonNullable<Ports["down"]>
  readonly actions: (real: ActionRunners) => ActionRunners
}

/** Makes an engine with the real actions. It is handed in, since the actions stand beside this ring and not below it. */
export type MakeEngine = (options: CaseEngineOptions) => Promise<Engine>
