import type { Level } from "../effects/levels.ts"
import type { Phase } from "./phases.ts"
import type { Action, Hook, May, Origin } from "./policy.ts"

/** Milliseconds a hook gets where it names none. */
export const TIMEOUT_MS = Object.freeze({ moment: 5_000, observe: 600_000 })

/** Without `may`, only a retry. */
export const MAY_RETRY: May = Object.freeze({ retry: true, tools: [], argv: [], modules: [] })

/** What a hook must say, and what it may leave out. */
export interface PartialHook extends Partial<Omit<Hook, "action" | "origins" | "on">> {
  readonly on: string
  readonly action: Action
}

/** Fills in what a hook leaves out. */
export function complete(hook: PartialHook, id: string, origins: readonly Origin[]): Hook {
  const phase: Phase = hook.phase ?? "observe"
  const effect: Level = hook.effect ?? (phase === "observe" ? "off" : "advise")
  return {
    floor: "off",
    failure: "open",
    timeoutMs: phase === "observe" ? TIMEOUT_MS.observe : TIMEOUT_MS.moment,
    enabled: true,
    recheck: true,
    redact: false,
    may: MAY_RETRY,
    ...hook,
    id: hook.id ?? id,
    phase,
    effect,
    origins,
  }
}
