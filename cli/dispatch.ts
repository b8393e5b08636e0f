import { VERSION } from "../settings/version.ts"
import type { Call, CommandModule, Commands } from "./command.ts"
import { tellError } from "./errors.ts"
import type { Io } from "./io.ts"
import { findCommand, parseWords } from "./parse.ts"

const FAILED = 1

/**
 * Finds the command, reads its flags, runs it.
 *
 * @param read stand in for the lazy imports of these commands
 * @returns the exit code; what went wrong has been told on stderr
 */
export async function dispatch(
  words: readonly string[],
  io: Io,
  commands: Commands,
  read: Readonly<Record<string, CommandModule>> = {},
): Promise<number> {
  let broken = FAILED
  try {
    const [first] = words
    if (first === "--version" || first === "-v") {
      io.out.line(VERSION)
      return 0
    }
    const asked = first === undefined || first === "--help" || first === "-h" ? ["help", ...words.slice(1)] : words
    const { name, command, rest } = findCommand(asked, commands)
    broken = command.broken
    const { args, given } = parseWords(name, command, rest)
    const call: Call = { command: name, args, given, io, commands }
    if (given.on("help")) {
      const help = await commands.help!.run()
      return await help.run({ ...call, command: "help", args: name.split(" ") })
    }
    return await (read[name] ?? (await command.run())).run(call)
  } catch (error) {
    tellError(error, io)
    return error instanceof Error && error.name === "PolicyError" ? FAILED : broken
  }
}
