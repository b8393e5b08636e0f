import { nearest } from "../policy/nearest.ts"
import type { Call, Commands } from "./command.ts"
import { bash } from "./completion/bash.ts"
import { fish } from "./completion/fish.ts"
import { zsh } from "./completion/zsh.ts"
import { CommandError } from "./errors.ts"

/** The shells that we complete for, and who writes their script from the table of commands. */
export const SHELLS = Object.freeze({ bash, zsh, fish } satisfies Record<string, (commands: Commands) => string>)

/** Prints a completion script. */
export async function run({ args, io, commands }: Call): Promise<number> {
  const [shell = ""] = args
  if (!Object.hasOwn(SHELLS, shell)) {
    const near = nearest(shell, Object.keys(SHELLS))
    const hint = near === undefined ? `known are ${Object.keys(SHELLS).join(", ")}` : `did you mean \`${near}\`?`
    throw new CommandError(`no completion for the shell \`${shell}\``, hint)
  }
  io.out.write(SHELLS[shell as keyof typeof SHELLS](commands))
  return 0
}
