import type { Host } from "../dialects/conduit/chain.ts"
import { compileHooks } from "../dialects/conduit/compile.ts"
import { groupHooks } from "../dialects/conduit/hooks.ts"
import type { ClientHooks, HookTelemetry } from "../dialects/conduit/types.ts"
import type { Hook } from "../policy/policy.ts"
import { observer } from "./hook-telemetry.ts"
import { nodePorts } from "./ports.ts"

/** What hooks as functions may be told, and how long each may take. */
export interface ClientHookOptions extends Pick<Host, "surroundings" | "fits" | "isResult"> {
  /** each run of a hook, once it is over */
  readonly onTelemetry?: ((event: HookTelemetry) => void) | undefined
  /** milliseconds for hooks that name none; default 5000 */
  readonly hookTimeout?: number | undefined
}

/**
 * Hooks as functions, as hooks of the engine: one for each event.
 *
 * @throws PolicyError that names the event and the entry of everything that is wrong.
 */
export function clientHooks(hooks: ClientHooks, { onTelemetry, hookTimeout, ...more }: ClientHookOptions): Hook[] {
  return groupHooks(compileHooks(hooks, hookTimeout), {
    ...nodePorts,
    observe: observer(nodePorts.now, onTelemetry),
    ...more,
  })
}
