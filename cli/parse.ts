import { parseArgs } from "node:util"
import { nearest } from "../policy/nearest.ts"
import type { Argument, Command, Commands, Flag, Given } from "./command.ts"
import { CommandError } from "./errors.ts"

export interface Parsed {
  readonly args: readonly string[]
  readonly given: Given
}

/** The command that the first words name, and the words after it. */
export interface Named {
  readonly name: string
  readonly command: Command
  readonly rest: readonly string[]
}

/**
 * Finds the command of a command line: its name is one word or two.
 *
 * @throws CommandError with the nearest known one.
 */
export function findCommand(words: readonly string[], commands: Commands): Named {
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(" ")
    if (words.length >= length && Object.hasOwn(commands, name)) {
      return { name, command: commands[name]!, rest: words.slice(length) }
    }
  }
  throw unknownCommand(words, commands)
}

function unknownCommand([first = "", second]: readonly string[], commands: Commands): CommandError {
  const names = Object.keys(commands)
  const seconds = names.filter((name) => name.startsWith(`${first} `))
  if (seconds.length > 0) {
    const known = seconds.map((name) => `\`detent ${name}\``).join(", ")
    if (second === undefined || second.startsWith("-"))
      return new CommandError(`\`${first}\` needs a second word`, known)
    return new CommandError(`unknown command \`${first} ${second}\``, `there is ${known}`)
  }
  const near = nearest(first, names) ?? (second === undefined ? undefined : nearest(`${first} ${second}`, names))
  return new CommandError(
    `unknown command \`${first}\``,
    near === undefined ? "`detent help` lists the commands" : `did you mean \`${near}\`?`,
  )
}

/**
 * Reads a command's words against its row: every flag known, each value there and said once.
 *
 * @throws CommandError on anything else.
 */
export function parseWords(name: string, command: Command, words: readonly string[]): Parsed {
  const flags = new Map(
    command.flags.flatMap((flag) => [flag.name, flag.also].map((spelling) => [spelling, flag] as const)),
  )
  flags.delete(undefined)
  const options = Object.fromEntries(
    [...flags].map(([spelling, flag]) => [
      spelling!,
      { type: flag.kind === "switch" ? ("boolean" as const) : ("string" as const), multiple: true },
    ]),
  )
  if (options.help) options.help = { ...options.help, short: "h" } as (typeof options)[string]
  // Not strict: its errors name no nearest flag, and the tokens say all that a stricter check of our own needs.
  const { tokens } = parseArgs({ args: [...words], options, strict: false, tokens: true, allowPositionals: true })
  const args: string[] = []
  const said = new Map<string, string[]>()
  for (const token of tokens) {
    if (token.kind === "positional") args.push(token.value)
    if (token.kind !== "option") continue
    const flag = flags.get(token.name)
    if (!flag) throw unknownFlag(name, command, token.rawName)
    add(said, flag, token)
  }
  const help = said.has("help")
  if (!help) checkArguments(name, command.args, args)
  return { args, given: givenOf(said, command.flags) }
}

interface OptionToken {
  readonly rawName: string
  readonly value?: string | undefined
  readonly inlineValue?: boolean | undefined
}

function add(said: Map<string, string[]>, flag: Flag, { rawName, value, inlineValue }: OptionToken): void {
  const values = said.get(flag.name) ?? []
  if (flag.kind === "switch") {
    if (value !== undefined) throw new CommandError(`\`${rawName}\` takes no value`)
  } else if (value === undefined || (!inlineValue && value.length > 1 && value.startsWith("-"))) {
    const hint =
      value === undefined ? `${rawName} ${flag.hint}` : `to give it \`${value}\`, write \`${rawName}=${value}\``
    throw new CommandError(`\`${rawName}\` needs a value`, hint)
  }
  if (flag.kind === "value" && values.length > 0) {
    throw new CommandError(`\`${rawName}\` is given more than once`, "keep one of them")
  }
  if (flag.values && !flag.values.includes(value ?? "")) {
    const what = flag.hint === "LEVEL" ? "level" : "value"
    const near = nearest(value ?? "", flag.values)
    const known = near === undefined ? "" : `did you mean \`${near}\`? `
    throw new CommandError(`unknown ${what} \`${value}\` for ${rawName}`, `${known}known are ${flag.values.join(", ")}`)
  }
  said.set(flag.name, [...values, value ?? ""])
}

function unknownFlag(name: string, { flags, args }: Command, rawName: string): CommandError {
  const near = nearest(
    rawName.replace(/^-+/, ""),
    flags.flatMap((flag) => [flag.name, ...(flag.also ? [flag.also] : [])]),
  )
  const passes = args.some((arg) => arg.name === "ARGS")
  const hint =
    near !== undefined
      ? `did you mean \`--${near}\`?`
      : passes
        ? "what is the script's own goes after `--`"
        : `see \`detent help ${name}\``
  return new CommandError(`unknown flag \`${rawName}\` of ${name}`, hint)
}

function checkArguments(name: string, known: readonly Argument[], given: readonly string[]): void {
  const missing = known.find((arg, index) => arg.required && given.length <= index)
  if (missing) throw new CommandError(`${name} needs ${missing.name}: ${missing.doc}`, `see \`detent help ${name}\``)
  const extra = known.some((arg) => arg.many) ? undefined : given[known.length]
  if (extra !== undefined) throw new CommandError(`${name} does not take \`${extra}\``, `see \`detent help ${name}\``)
}

function givenOf(said: ReadonlyMap<string, readonly string[]>, flags: readonly Flag[]): Given {
  const settings = flags.flatMap(({ name, setting, kind }) => {
    const values = said.get(name)
    return setting === undefined || !values ? [] : [[setting, kind === "list" ? values : values[0]!] as const]
  })
  return {
    on: (flag) => said.has(flag),
    value: (flag) => said.get(flag)?.[0],
    values: (flag) => said.get(flag) ?? [],
    settings: Object.fromEntries(settings),
  }
}
