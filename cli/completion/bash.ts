import type { Commands } from "../command.ts"
import { FIXED_ARGUMENTS, spellings, takesPath, words } from "./words.ts"

/** The completion script of bash. */
export function bash(commands: Commands): string {
  const { first, second } = words(commands)
  const rows = Object.entries(commands)
  const flagsOf = rows.map(
    ([name, { flags }]) =>
      `    "${name}") flags="${spellings(flags)
        .map((flag) => `--${flag}`)
        .join(" ")}" ;;`,
  )
  const values = new Map(
    rows.flatMap(([, { flags }]) => flags.flatMap((flag) => (flag.values ? [[flag.name, flag.values] as const] : []))),
  )
  const paths = new Set(rows.flatMap(([, { flags }]) => flags.filter(takesPath).map(({ name }) => `--${name}`)))
  const plain = new Set(
    rows.flatMap(([, { flags }]) =>
      flags
        .filter((flag) => flag.kind !== "switch" && !flag.values && !takesPath(flag))
        .flatMap((flag) => spellings([flag])),
    ),
  )
  return `# bash completion of detent
_detent() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" cmd="\${COMP_WORDS[1]}" flags=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${first.join(" ")} --help --version" -- "$cur"))
    return
  fi
  case "$cmd" in
${[...second].map(([name, next]) => `    ${name})\n      if [ "$COMP_CWORD" -eq 2 ]; then COMPREPLY=($(compgen -W "${next.join(" ")}" -- "$cur")); return; fi\n      cmd="$cmd \${COMP_WORDS[2]}" ;;`).join("\n")}
  esac
  case "$prev" in
${[...values].map(([flag, known]) => `    --${flag}) COMPREPLY=($(compgen -W "${known.join(" ")}" -- "$cur")); return ;;`).join("\n")}
    ${[...paths].join("|")}) COMPREPLY=($(compgen -f -- "$cur")); return ;;
    ${[...plain].map((flag) => `--${flag}`).join("|")}) return ;;
  esac
  case "$cmd" in
${flagsOf.join("\n")}
  esac
  if [[ "$cur" == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$cur"))
    return
  fi
  case "$cmd" in
${Object.entries(FIXED_ARGUMENTS)
  .map(([name, known]) => `    ${name}) COMPREPLY=($(compgen -W "${known.join(" ")}" -- "$cur")) ;;`)
  .join("\n")}
    help) COMPREPLY=($(compgen -W "${first.join(" ")}" -- "$cur")) ;;
    *) COMPREPLY=($(compgen -f -- "$cur")) ;;
  esac
}
complete -o filenames -F _detent detent
`
}
