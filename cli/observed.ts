import type { Frame } from "../frames/frames.ts"
import type { Io } from "./io.ts"

/** Tells what went wrong with observers: they run after the fact, and nothing else would say so. */
export const tellObserved =
  (io: Io) =>
  (frame: Frame): void => {
    if (frame.type === "log") io.err.line(`detent: ${frame.args.map(String).join(" ")}`)
    else if (frame.type === "hook" && frame.failed) {
      io.err.line(`detent: the observer \`${frame.hook}\` failed on ${frame.on}: ${frame.failed.message}`)
    } else if (frame.type === "hook" && frame.skipped === "no-model") {
      io.err.line(`detent: the observer \`${frame.hook}\` did not run: ${(frame.notes ?? []).join("; ")}`)
    }
  }
