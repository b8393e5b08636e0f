import { fstatSync, lstatSync, readFileSync } from "node:fs"
import type { AddressInfo } from "node:net"
import type { Answer } from "./app.ts"
import { ListenError, type Listening, listeningOn, serverOf, started } from "./listen.ts"

/**
 * Listens on a socket that was opened before this process began, and that stays when it ends: its path, if it has one, is
 * not ours to take away.
 *
 * @throws ListenError where it is none, or is open to others.
 */
export async function listenOnInherited(fd: number, answer: Answer): Promise<Listening> {
  const path = pathOf(fd)
  if (path !== undefined && (lstatSync(path).mode & 0o077) !== 0) {
    throw new ListenError(`the socket \`${path}\` is open to others`, "set SocketMode=0600 in its unit")
  }
  // Which of the two it is shows when it listens, and no request comes before that is known.
  let via: "socket" | "tcp" = "tcp"
  const server = serverOf(answer, () => via)
  try {
    await started(server, { fd })
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new ListenError(`the descriptor ${fd} is no socket that listens (${code ?? String(cause)})`, "see LISTEN_FDS")
  }
  const address = server.address() as AddressInfo | null
  if (address === null) {
    via = "socket"
    return listeningOn(server, `unix:${path ?? `fd ${fd}`}`)
  }
  if (!LOOPBACK.includes(address.address)) {
    server.close()
    throw new ListenError(`the daemon does not listen on \`${address.address}\``, "ListenStream=127.0.0.1:PORT")
  }
  return listeningOn(server, `http://${address.address}:${address.port}`)
}

const LOOPBACK: readonly string[] = Object.freeze(["127.0.0.1", "::1"])

/** Where a unix socket is, as Linux tells it; undefined for any other. */
function pathOf(fd: number): string | undefined {
  try {
    const inode = String(fstatSync(fd).ino)
    const lines = readFileSync("/proc/net/unix", "utf8")
      .split("\n")
      .map((line) => line.trim().split(/\s+/))
    return lines.find((columns) => columns[6] === inode)?.[7]
  } catch {
    return undefined
  }
}
