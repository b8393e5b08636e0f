/** How a configuration names us: in every shell a comment, so that no other command is taken for ours. */
const MARK = "# detent"

/** What a command line of ours is made of. */
export interface CommandParts {
  /** what starts Detent, as a shell reads it */
  readonly program: string
  readonly agent: string
  /** the agent's name of the event, where its payload does not say it */
  readonly event?: string
  /** the time that the configuration gives this hook */
  readonly seconds?: number
  /** whether something can be refused here */
  readonly gates: boolean
  /** absolute */
  readonly policy?: string
}

/**
 * The command line that an agent's configuration names. Where something can be refused and Detent cannot even be started,
 * the shell itself refuses: hosts let pass what ends with any other code than 2.
 */
export function commandOf({ program, agent, event, seconds, gates, policy }: CommandParts): string {
  const words = [
    "hook",
    agent,
    ...(event === undefined ? [] : ["--event", event]),
    ...(policy === undefined ? [] : ["--policy", policy]),
    ...(seconds === undefined ? [] : ["--timeout", String(seconds)]),
    ...(gates ? ["--on-failure", "closed"] : []),
  ]
  return `${program} ${words.map(quoted).join(" ")}${gates ? " || exit 2" : ""} ${MARK}`
}

/** A word as shells read it: what they would take for more than itself stands in quotes. */
export const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`

/** Whether a command line is one of ours, written by `init` or by hand. */
export const isOurs = (command: unknown): command is string =>
  typeof command === "string" && (command.endsWith(MARK) || /(^|[\s/'"])detent['"]?\s+hook\s+[a-z]/.test(command))
