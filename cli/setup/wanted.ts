import { realpathSync } from "node:fs"
import { resolve } from "node:path"
import { gates } from "../../dialects/ceiling.ts"
import { DIALECTS } from "../../dialects/dialects.ts"
import { type CommandParts, commandOf, quoted } from "../../dialects/setup/command.ts"
import type { Wanted } from "../../dialects/setup/entries.ts"
import type { SetupRow } from "../../dialects/setup/places.ts"
import type { Call } from "../command.ts"
import { thinFile } from "./file.ts"

/** Seconds below which a time limit is left to the agent: it is meant to be as short as it is. */
const SHORT = 10

/** The hooks that an agent's configuration is to hold. */
export function wantedOf(agent: string, row: SetupRow, call: Call): Wanted {
  const moments = Object.entries(DIALECTS[agent]!.moments).filter(([event]) => !row.leaves?.includes(event))
  return Object.fromEntries(
    moments.map(([event, moment]) => {
      const seconds = moment.timeoutMs >= SHORT * 1000 ? moment.timeoutMs / 1000 : undefined
      const named = { ...(row.namesEvent ? { event } : {}), ...(seconds === undefined ? {} : { seconds }) }
      const command = commandLine({ agent, gates: gates(moment), ...named }, call)
      return [event, row.entry(command, seconds, gates(moment))]
    }),
  )
}

/** The command line of one event, with what this call of `init` says of it. */
export function commandLine(parts: Omit<CommandParts, "program" | "policy">, { given, io }: Call): string {
  const policy = given.value("policy")
  const program = given.on("thin") ? `sh ${quoted(thinFile(io))}` : programOf(given)
  return commandOf({ ...parts, program, ...(policy === undefined ? {} : { policy: resolve(io.cwd, policy) }) })
}

/** This program by its whole path, and by that of this Node: a search path may be another one where the agent runs. */
export const programOf = (given: Call["given"]): string =>
  given.value("command") ?? programWords().map(quoted).join(" ")

export const programWords = (): readonly string[] => [process.execPath, realpathSync(process.argv[1]!)]
