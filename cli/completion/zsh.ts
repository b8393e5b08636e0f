import type { Commands, Flag } from "../command.ts"
import { FIXED_ARGUMENTS, spellings, takesPath, words } from "./words.ts"

/** A text inside single quotes. */
const quoted = (text: string): string => text.replaceAll("'", "'\\''")

/** A description inside an `_arguments` spec, where brackets and colons mean something. */
const described = (text: string): string => quoted(text.replace(/[[\]:\\]/g, "\\$&"))

function spec(flag: Flag): string[] {
  const value = flag.values
    ? `:${flag.hint}:(${flag.values.join(" ")})`
    : takesPath(flag)
      ? `:${flag.hint}:_files`
      : flag.kind === "switch"
        ? ""
        : `:${flag.hint}:`
  const again = flag.kind === "list" ? "*" : ""
  return spellings([flag]).map((name) => `'${again}--${name}[${described(flag.doc)}]${described("") + value}'`)
}

function argumentOf(name: string, first: readonly string[]): string {
  const fixed = name === "help" ? first : FIXED_ARGUMENTS[name]
  return fixed ? `'*:argument:(${fixed.join(" ")})'` : "'*:file:_files'"
}

/** The completion script of zsh. */
export function zsh(commands: Commands): string {
  const { first, second } = words(commands)
  const describe = (name: string): string => commands[name]?.doc ?? (second.get(name) ?? []).join(", ")
  const cases = Object.entries(commands).map(
    ([name, { flags }]) =>
      `    '${name}')\n      _arguments -s ${[...flags.flatMap(spec), argumentOf(name, first)].join(" ")} ;;`,
  )
  return `#compdef detent
# zsh completion of detent
_detent() {
  if (( CURRENT == 2 )); then
    local -a known=(${first.map((name) => `'${name}:${quoted(describe(name).replaceAll(":", "\\:"))}'`).join(" ")})
    _describe command known
    return
  fi
  local cmd="\${words[2]}"
  shift words; (( CURRENT-- ))
  case "$cmd" in
${[...second].map(([name, next]) => `    ${name})\n      if (( CURRENT == 2 )); then compadd ${next.join(" ")}; return; fi\n      cmd="$cmd \${words[2]}"; shift words; (( CURRENT-- )) ;;`).join("\n")}
  esac
  case "$cmd" in
${cases.join("\n")}
  esac
}
compdef _detent detent
`
}
