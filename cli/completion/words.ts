import type { Commands, Flag } from "../command.ts"

/** What may stand as the first word, and after it as the second. */
export function words(commands: Commands): {
  readonly first: readonly string[]
  readonly second: ReadonlyMap<string, readonly string[]>
} {
  const second = new Map<string, string[]>()
  for (const name of Object.keys(commands)) {
    const [first = "", next] = name.split(" ")
    const known = second.get(first) ?? []
    second.set(first, next === undefined ? known : [...known, next])
  }
  return { first: [...second.keys()], second: new Map([...second].filter(([, next]) => next.length > 0)) }
}

/** Arguments of a closed set. */
export const FIXED_ARGUMENTS: Readonly<Record<string, readonly string[]>> = Object.freeze({
  completion: ["bash", "zsh", "fish"],
  schema: ["policy", "case", "event"],
})

/** Every spelling of a command's flags. */
export const spellings = (flags: readonly Flag[]): string[] =>
  flags.flatMap(({ name, also }) => [name, ...(also === undefined ? [] : [also])])

/** A flag's value is a path. */
export const takesPath = ({ hint }: Flag): boolean => hint === "FILE" || hint === "DIR"
