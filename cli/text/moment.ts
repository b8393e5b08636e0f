import type { Verdict } from "../../frames/frames.ts"
import type { Paint } from "./colour.ts"
import { hookLine } from "./hook.ts"
import { verdictLine } from "./verdict.ts"

/** One moment: a line for each hook that it concerned, then what it came to. */
export function momentText(verdict: Verdict, paint: Paint): string {
  const hooks = verdict.frames.flatMap((frame) => (frame.type === "hook" ? [hookLine(frame, paint)] : []))
  const none = hooks.length === 0 ? [paint("faint", "no hook is concerned")] : []
  return [...hooks, ...none, verdictLine(verdict, paint)].join("\n")
}
