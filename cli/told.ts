import type { Frame } from "../frames/frames.ts"
import type { Io } from "./io.ts"

/** Tells on stderr what hooks did, where they did anything; what writes it is read only then. */
export async function hookTeller({ err }: Io): Promise<(frame: Frame) => void> {
  const [{ hookLine, isWorthTelling }, { fit }] = await Promise.all([
    import("./text/hook.ts"),
    import("./text/wrap.ts"),
  ])
  return (frame) => {
    if (frame.type === "hook" && isWorthTelling(frame)) err.line(fit(hookLine(frame, err.paint), err))
    else if (frame.type === "log") err.line(`detent: ${frame.args.map(String).join(" ")}`)
  }
}
