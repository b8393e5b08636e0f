import type { Outcome, Verdict } from "../frames/frames.ts"

/** The exit code that tells a program what a moment came to. */
export const EXIT_OF = Object.freeze({
  continue: 0,
  answer: 0,
  retry: 0,
  refuse: 2,
  ask: 3,
} as const satisfies Record<Outcome, number>)

/** A verdict as the last line of its stream: its frames stand before it. */
export function verdictFrame({
  frames: _,
  ...verdict
}: Verdict): { readonly type: "verdict" } & Omit<Verdict, "frames"> {
  return { type: "verdict", ...verdict }
}
