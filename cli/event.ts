import { isUtf8 } from "node:buffer"
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { isObject, type JsonObject, parseJson, withoutMark } from "../effects/json.ts"
import { checkEvent } from "../policy/events.ts"
import type { Phase } from "../policy/phases.ts"
import { CommandError, fileError } from "./errors.ts"
import type { Io } from "./io.ts"

/** An event that fits its point. */
export type Event = JsonObject & { readonly on: string; readonly phase: Phase }

/**
 * Reads the event that `--event` names, a file or stdin.
 *
 * @throws CommandError where there is none, it is no JSON object, or it does not fit its point.
 */
export function readEvent(source: string | undefined, io: Io): Event {
  if (source === undefined) {
    throw new CommandError("no event is given", "`--event FILE`, or `--event -` to read it from stdin")
  }
  const [name, bytes] = source === "-" ? ["stdin", stdinOf(io)] : [`\`${source}\``, fileOf(source, io)]
  if (!isUtf8(bytes)) throw new CommandError(`the event in ${name} is no UTF-8 text`)
  const event = parse(Buffer.from(bytes).toString("utf8"), name)
  const problems = checkEvent(event)
  if (problems.length > 0) {
    throw new CommandError(
      `the event in ${name} does not fit: ${problems.join("; ")}`,
      "`detent points` shows what fits",
    )
  }
  return event as Event
}

function stdinOf(io: Io): Uint8Array {
  if (io.stdinTty) io.err.line("detent: reading the event from the terminal; Ctrl-D ends it")
  return io.stdin()
}

function fileOf(path: string, io: Io): Uint8Array {
  try {
    return readFileSync(resolve(io.cwd, path))
  } catch (cause) {
    throw fileError(path, cause)
  }
}

function parse(text: string, name: string): unknown {
  if (withoutMark(text).trim() === "")
    throw new CommandError(`the event in ${name} is empty`, "one JSON object is expected")
  try {
    const event = parseJson(text)
    if (isObject(event)) return event
  } catch (cause) {
    if (isSeveral(text)) {
      throw new CommandError(`there are several events in ${name}`, "decide takes one moment at a time")
    }
    throw new CommandError(`the event in ${name} is no JSON: ${said(cause)}`)
  }
  throw new CommandError(`the event in ${name} is no JSON object`)
}

/** Whether each line is a JSON object of its own. */
function isSeveral(text: string): boolean {
  const lines = text.split("\n").filter((line) => line.trim() !== "")
  const whole = (line: string): boolean => {
    try {
      return isObject(JSON.parse(line))
    } catch {
      return false
    }
  }
  return lines.length > 1 && lines.slice(0, 2).every(whole)
}

/** JSON.parse's words, without the pieces of the text that it quotes. */
const said = (cause: unknown): string => {
  const message = cause instanceof Error ? cause.message : String(cause)
  return (message.charAt(0).toLowerCase() + message.slice(1))
    .replace(/, (\.{3})?".*"(\.{3})? is not valid JSON$/s, "")
    .replace(/\.$/, "")
}
