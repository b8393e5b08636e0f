import type { Call } from "./command.ts"
import { FORMATS, type Format } from "./flags.ts"

/** Commands whose text is for people and pipes alike. */
const TEXT_EVERYWHERE: readonly string[] = Object.freeze(["check", "run", "exec", "call", "test", "eval"])

/** The format that was asked for; else text on a terminal and NDJSON into a pipe. */
export function formatOf({ command, given, io }: Call): Format {
  const asked = FORMATS.find((format) => format === given.value("format"))
  if (asked !== undefined) return asked
  return TEXT_EVERYWHERE.includes(command) || io.out.tty ? "text" : "ndjson"
}

/** One JSON document for a person's eyes and any parser. */
export const document = (value: unknown): string => JSON.stringify(value, null, 2)
