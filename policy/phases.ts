import type { Level } from "../effects/levels.ts"

/** The six phases and no others, with the highest level that each lets through. */
export const PHASES = Object.freeze({
  before: { ceiling: "run", when: "before the operation starts" },
  prefix: { ceiling: "run", when: "inside a script, after Detent's globals and before the script (source hooks only)" },
  onSuccess: { ceiling: "run", when: "it succeeded, before its result is returned" },
  onError: { ceiling: "run", when: "it failed or was refused, before its error is returned" },
  suffix: { ceiling: "advise", when: "after either, like a finally; cannot change the outcome" },
  observe: { ceiling: "off", when: "after the fact, asynchronously, from the event bus; cannot change anything" },
} as const satisfies Record<string, { ceiling: Level; when: string }>)

export type Phase = keyof typeof PHASES

export const PHASE_NAMES = Object.freeze(Object.keys(PHASES)) as readonly Phase[]

/** A moment as people read it: `call before`, `observe call.` */
export const showMoment = (on: string, phase: Phase): string =>
  phase === "observe" ? `observe ${on}` : `${on} ${phase}`

export const isPhase = (value: unknown): value is Phase => typeof value === "string" && Object.hasOwn(PHASES, value)
