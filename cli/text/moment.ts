import type { Verdict } from "../../frames/frames.ts"
import type { Out } from "../io.ts"
import { hookLine } from "./hook.ts"
import { verdictLine } from "./verdict.ts"
import { fit } from "./wrap.ts"

/** One moment: a line for each hook that it concerned, then what it came to. */
export function momentText(verdict: Verdict, out: Out): string {
  const { paint } = out
  const hooks = verdict.frames.flatMap((frame) => (frame.type === "hook" ? [hookLine(frame, paint)] : []))
  const none = hooks.length === 0 ? [paint("faint", "no hook is concerned")] : []
  return [...hooks, ...none, ...verdictLine(verdict, paint).split("\n")].map((line) => fit(line, out)).join("\n")
}
