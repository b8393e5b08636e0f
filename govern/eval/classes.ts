import type { HookFrame } from "../../frames/frames.ts"

/** What a judge can say of an event, and so what an event is labelled with. */
export const CLASSES = Object.freeze({
  none: "nothing: no opinion, or the hook is not concerned",
  advise: "a word beside the result",
  ask: "a question that stops it",
  refuse: "a refusal",
  propose: "a replacement that is not applied",
  apply: "a replacement",
  run: "something that is done",
} as const)
export type Class = keyof typeof CLASSES

/** What came of asking: a class, or no opinion at all since the asking failed. */
export type Said = Class | "failed" | "skipped"

/** The strongest key of a hook's clamped output; `none` where the hook was not concerned. */
export function saidOf(frame: HookFrame | undefined): Said {
  if (!frame) return "none"
  if (frame.failed) return "failed"
  if (frame.skipped) return "skipped"
  if (frame.refuse) return "refuse"
  if (frame.ask) return "ask"
  if (frame.ran) return "run"
  if (frame.changed) return "apply"
  if (frame.propose) return "propose"
  return frame.advise ? "advise" : "none"
}
