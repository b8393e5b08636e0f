import type { Argument, Call, Command, Commands, Flag } from "./command.ts"
import { findCommand } from "./parse.ts"
import { columns, wrap } from "./text/wrap.ts"

/** Tells about all commands, or about one. */
export async function run({ args, io, commands }: Call): Promise<number> {
  if (args.length === 0) io.out.line(overview(commands, io.out))
  else {
    const { name, command } = findCommand(args, commands)
    io.out.line(page(name, command, io.out))
  }
  return 0
}

type Sheet = Pick<Call["io"]["out"], "columns" | "paint">

function overview(commands: Commands, { columns: width, paint }: Sheet): string {
  const rows = Object.entries(commands).map(([name, { doc }]) => [paint("code", name), doc] as const)
  return [
    `${paint("strong", "detent")}: policy as data for AI agents`,
    "",
    `${paint("strong", "Usage")}  detent COMMAND [FLAGS]`,
    "",
    paint("strong", "Commands"),
    columns(rows, width),
    "",
    "`detent help COMMAND` says more; `detent --version` prints the version.",
  ].join("\n")
}

function page(name: string, command: Command, { columns: width, paint }: Sheet): string {
  const { doc, more = [], args, flags, examples, exits } = command
  const usage = ["detent", name, ...args.map(shown), flags.length > 0 ? "[FLAGS]" : ""].filter(Boolean).join(" ")
  const section = (title: string, rows: readonly (readonly [string, string])[]): string[] =>
    rows.length === 0
      ? []
      : [
          "",
          paint("strong", title),
          columns(
            rows.map(([left, right]) => [paint("code", left), right]),
            width,
          ),
        ]
  return [
    `${paint("strong", `detent ${name}`)}: ${doc}`,
    ...more.map((text) => `\n${wrap(text, width)}`),
    "",
    `${paint("strong", "Usage")}  ${usage}`,
    ...section(
      "Arguments",
      args.map((arg) => [arg.name, arg.doc]),
    ),
    ...section(
      "Flags",
      flags.map((flag) => [spelling(flag), flagDoc(flag)]),
    ),
    ...section("Exit codes", Object.entries(exits)),
    ...(examples.length === 0 ? [] : ["", paint("strong", "Examples")]),
    ...examples.flatMap(({ line, doc: what }) => [
      `  ${paint("code", line)}`,
      `      ${wrap(what, width - 6, "      ")}`,
    ]),
  ].join("\n")
}

const shown = ({ name, required, many }: Argument): string => {
  const word = many ? `${name}…` : name
  return required ? word : `[${word}]`
}

const spelling = ({ name, hint, kind }: Flag): string => (kind === "switch" ? `--${name}` : `--${name} ${hint}`)

const flagDoc = ({ doc, values, setting, kind, also }: Flag): string =>
  [
    doc,
    values ? `: ${values.join(", ")}` : "",
    kind === "list" ? "; may be given again" : "",
    setting === undefined ? "" : ` (the setting ${setting}${also === undefined ? "" : `, also --${also}`})`,
  ].join("")
