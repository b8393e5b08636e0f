import type { RunResult } from "../../exec/types.ts"
import type { ErrorValue, Frame } from "../../frames/frames.ts"
import { FrameWriter } from "../../frames/ndjson.ts"
import type { Call } from "../command.ts"
import { document, formatOf } from "../format.ts"
import type { Io } from "../io.ts"
import { hookLine, isWorthTelling } from "../text/hook.ts"
import { brief, oneLine } from "../text/plain.ts"
import { fit } from "../text/wrap.ts"

/** How a run is told. */
export interface Output {
  /** whether the script's own output is told in frames */
  readonly frames: boolean
  readonly frame: (frame: Frame) => void
  readonly end: (result: RunResult) => void
}

/** The way of telling that was asked for. */
export function outputOf(call: Call): Output {
  const { io } = call
  const format = formatOf(call)
  if (format === "text") return textOutput(io)
  if (format === "ndjson") {
    const writer = new FrameWriter({ write: (text) => io.out.write(text), soon: setImmediate })
    return { frames: true, frame: (frame) => writer.frame(frame), end: () => writer.flush() }
  }
  const frames: Frame[] = []
  return {
    frames: true,
    frame: (frame) => void frames.push(frame),
    end: ({ exitCode, outcome, value, error }) => {
      const said = { exitCode, outcome, ...(value === undefined ? {} : { value }), ...(error ? { error } : {}) }
      io.out.line(document({ ...said, frames }))
    },
  }
}

/** In text the script's stdout is its own; what it emits and its result follow there, all else goes to stderr. */
function textOutput(io: Io): Output {
  const { paint } = io.err
  const frame = (frame: Frame): void => {
    if (frame.type === "hook" && isWorthTelling(frame)) io.err.line(fit(hookLine(frame, paint), io.err))
    else if (frame.type === "emit") io.out.line(valueLine(frame.value))
    else if (frame.type === "log")
      io.err.line(`${paint("faint", `[${frame.level}]`)} ${frame.args.map(logged).join(" ")}`)
    else if (frame.type === "artifact") {
      io.err.line(
        `${paint("faint", "artifact")} ${oneLine(frame.name)} (${frame.size} bytes, ${oneLine(frame.mime)}) ${frame.uri}`,
      )
    } else if (frame.type === "stdout") io.out.write(frame.text)
    else if (frame.type === "stderr") io.err.write(frame.text)
  }
  const end = ({ value, error }: RunResult): void => {
    if (error && !TOLD.includes(error.code)) io.err.line(errorText(error))
    if (value !== undefined) io.out.line(valueLine(value))
  }
  return { frames: false, frame, end }
}

/** A text as it is, anything else as one line of JSON. */
const valueLine = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value))

const logged = (arg: unknown): string => (typeof arg === "string" ? arg : brief(arg))

/** What the script's own process has told on stderr already. */
const TOLD: readonly string[] = Object.freeze(["throw", "exit", "syntax"])

function errorText({ code, message, hook }: ErrorValue): string {
  const by =
    code === "refused" ? `refused${typeof hook === "string" && hook !== "" ? ` by ${oneLine(hook)}` : ""}: ` : ""
  return `detent: ${by}${oneLine(message)}`
}
