import type { Io } from "./io.ts"

/** How a flag is written: alone, with one value, or with a value each time it is given. */
export type FlagKind = "switch" | "value" | "list"

export interface Flag {
  /** without the dashes */
  readonly name: string
  readonly kind: FlagKind
  readonly doc: string
  /** how help writes the value: `FILE` */
  readonly hint?: string
  /** the only values there are */
  readonly values?: readonly string[]
  /** the setting that the flag says */
  readonly setting?: string
  /** a longer spelling that means the same */
  readonly also?: string
}

export interface Argument {
  readonly name: string
  readonly doc: string
  readonly required?: true
  /** takes all that follow */
  readonly many?: true
}

export interface Example {
  readonly line: string
  readonly doc: string
}

/** One row of the table of commands: parsing, help and completion are made of it. */
export interface Command {
  /** one line */
  readonly doc: string
  readonly more?: readonly string[]
  readonly args: readonly Argument[]
  readonly flags: readonly Flag[]
  readonly examples: readonly Example[]
  /** exit code → meaning */
  readonly exits: Readonly<Record<string, string>>
  /** the exit code where the command could not run */
  readonly broken: number
  /** read only when the command is called */
  readonly run: () => Promise<CommandModule>
}

export type Commands = Readonly<Record<string, Command>>

export interface CommandModule {
  /** Runs the command; the answer is the exit code. */
  readonly run: (call: Call) => Promise<number>
}

/** What was given on the command line, checked against the command's row. */
export interface Given {
  on(flag: string): boolean
  value(flag: string): string | undefined
  values(flag: string): readonly string[]
  /** the settings said by flags, by path */
  readonly settings: Readonly<Record<string, string | readonly string[]>>
}

/** One call of a command. */
export interface Call {
  readonly command: string
  readonly args: readonly string[]
  readonly given: Given
  readonly io: Io
  /** the whole table, for the commands that tell about commands */
  readonly commands: Commands
}
