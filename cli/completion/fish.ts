import type { Commands, Flag } from "../command.ts"
import { FIXED_ARGUMENTS, takesPath, words } from "./words.ts"

/** A text inside single quotes. */
const quoted = (text: string): string => `'${text.replace(/[\\']/g, "\\$&")}'`

/** What fish asks before it offers something. */
const within = (name: string): string => {
  const parts = name.split(" ")
  return parts.map((part) => `__fish_seen_subcommand_from ${part}`).join("; and ")
}

function flagLine(name: string, flag: Flag): string[] {
  const value = flag.values
    ? ` -xa ${quoted(flag.values.join(" "))}`
    : takesPath(flag)
      ? " -rF"
      : flag.kind === "switch"
        ? ""
        : " -x"
  return [flag.name, ...(flag.also ? [flag.also] : [])].map(
    (spelling) => `complete -c detent -n ${quoted(within(name))} -l ${spelling}${value} -d ${quoted(flag.doc)}`,
  )
}

/** The completion script of fish. */
export function fish(commands: Commands): string {
  const { first, second } = words(commands)
  const docOf = (name: string): string => commands[name]?.doc ?? (second.get(name) ?? []).join(", ")
  return [
    "# fish completion of detent",
    ...first.map((name) => `complete -c detent -n __fish_use_subcommand -fa ${name} -d ${quoted(docOf(name))}`),
    ...[...second].map(
      ([name, next]) =>
        `complete -c detent -n ${quoted(`${within(name)}; and not __fish_seen_subcommand_from ${next.join(" ")}`)} -fa ${quoted(next.join(" "))}`,
    ),
    ...Object.entries(FIXED_ARGUMENTS).map(
      ([name, known]) => `complete -c detent -n ${quoted(within(name))} -fa ${quoted(known.join(" "))}`,
    ),
    ...Object.entries(commands).flatMap(([name, { flags }]) => flags.flatMap((flag) => flagLine(name, flag))),
    "",
  ].join("\n")
}
