import type { Argument, Command, Flag } from "../../cli/command.ts"
import { COMMANDS } from "../../cli/commands.ts"
import { code, page, part, table } from "./markdown.ts"

const argument = ({ name, required, many }: Argument): string => {
  const word = many ? `${name}…` : name
  return required ? word : `[${word}]`
}

const flag = ({ name, hint, also, values, doc, kind }: Flag): string[] => [
  [name, ...(also === undefined ? [] : [also])].map((word) => code(`--${word}${hint ? ` ${hint}` : ""}`)).join(" "),
  [
    doc,
    ...(values ? [`one of ${values.map(code).join(", ")}`] : []),
    ...(kind === "list" ? ["may be given again"] : []),
  ].join("; "),
]

function commandPart([name, command]: readonly [string, Command]): string {
  const { doc, more = [], args, flags, examples, exits } = command
  const usage = ["detent", name, ...args.map(argument), ...(flags.length > 0 ? ["[FLAGS]"] : [])].join(" ")
  return part(
    code(`detent ${name}`),
    `${doc[0]?.toUpperCase()}${doc.slice(1)}.`,
    code(usage),
    ...more,
    ...(args.length > 0
      ? [
          table(
            ["argument", "what it is"],
            args.map((arg) => [code(arg.name), arg.doc]),
          ),
        ]
      : []),
    table(["flag", "what it does"], flags.map(flag)),
    table(
      ["exit code", "what it says"],
      Object.entries(exits).map(([exit, meaning]) => [exit, meaning]),
    ),
    ...examples.map((example) => `\`\`\`sh\n${example.line}   # ${example.doc}\n\`\`\``),
  )
}

export const commands = (): string =>
  page(
    "Commands",
    "`detent help COMMAND` prints the same. Flags may stand anywhere before `--`.",
    ...Object.entries<Command>(COMMANDS).map(commandPart),
  )
