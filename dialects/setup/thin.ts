import { quoted } from "./command.ts"

/** What the client speaks to the daemon with. */
export type Speaks = "nc" | "curl"

export interface ThinParts {
  /** absolute */
  readonly socket: string
  /** what is on this machine; absent: Node asks */
  readonly speaks?: Speaks
  /** what starts Detent, as a shell reads it: where neither is there */
  readonly program: string
}

/** How each of them is asked: the path is in `$path`, what it says is the response's body. */
const ASKS: Readonly<Record<Speaks, string>> = Object.freeze({
  // The length is in bytes: the locale is C. With version 1.0 the body is in one piece, and the daemon ends the connection.
  nc: `body=$(cat)
answer=$(printf 'POST %s HTTP/1.0\\r\\nhost: localhost\\r\\n%scontent-type: application/json\\r\\ncontent-length: %s\\r\\n\\r\\n%s' \\
  "$path" "\${DETENT_TOKEN:+authorization: Bearer $DETENT_TOKEN$crlf}" "\${#body}" "$body" | nc -w "$wait" -U "$socket")
answer=\${answer#*"$crlf$crlf"}`,
  curl: `answer=$(curl -q -s --noproxy '*' --max-time "$wait" --unix-socket "$socket" -H 'content-type: application/json' -H expect: \\
  --data-binary @- "http://localhost$path")`,
})

/**
 * The thin client: a shell script that takes the words of \`detent hook\`, asks the daemon, and fails as it is told to. It
 * starts no Node, which takes longer than everything else.
 */
export function thinText({ socket, speaks, program }: ThinParts): string {
  const node = `exec ${program} "$@" --remote --socket "$socket"`
  return `#!/bin/sh
# Detent's thin client: \`detent init --thin\` writes it. It asks the daemon, and fails as --on-failure says.
LC_ALL=C
socket=${quoted(socket)}
crlf='\r
'
lf='
'
${speaks === undefined ? node : client(speaks, node)}
`
}

/** Where only Node will do: nothing else is there, or a token would stand in a command line for all to read. */
const needsNode = (speaks: Speaks): string =>
  speaks === "nc" ? "command -v nc >/dev/null" : '{ [ -z "$DETENT_TOKEN" ] && command -v curl >/dev/null; }'

const client = (speaks: Speaks, node: string): string => `${needsNode(speaks)} || ${node}
path="/v1/hook/$2?"
wait=60 last= failure=
for word do
  case $last in
    --event) path="\${path}event=$word&" ;;
    --timeout) path="\${path}timeout=$word&" wait=\${word%%.*} ;;
    --on-failure) failure=$word ;;
  esac
  last=$word
done
${ASKS[speaks]}
case $answer in
  0) exit 0 ;;
  0"$lf"*)
    printf '%s\\n' "\${answer#??}"
    exit 0
    ;;
  2"$lf"*)
    printf '%s\\n' "\${answer#??}" >&2
    exit 2
    ;;
esac
printf 'Detent: %s\\n' "\${answer:-no daemon answers on $socket}" >&2
[ "$failure" = closed ] && exit 2
exit 0`
