import type { Level } from "./levels.ts"

/** The keys of a hook's output and the level that each needs. */
export const KEYS = Object.freeze({
  advise: { level: "advise", doc: "text or diagnostics for whoever reads the result" },
  ask: { level: "ask", doc: "a question that stops the operation until it is answered" },
  refuse: { level: "ask", doc: "a reason for which the operation does not happen" },
  propose: { level: "propose", doc: "a replacement beside the original, unapplied" },
  apply: { level: "apply", doc: "a replacement that takes the original's place" },
  run: { level: "run", doc: "a retry, a call, a program or a module that the caller did not send" },
} as const satisfies Record<string, { level: Level; doc: string }>)

export type Key = keyof typeof KEYS

export const KEY_NAMES = Object.freeze(Object.keys(KEYS)) as readonly Key[]

export const isKey = (value: string): value is Key => Object.hasOwn(KEYS, value)

export const levelOf = (key: Key): Level => KEYS[key].level
