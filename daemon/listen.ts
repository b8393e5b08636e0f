import { chmodSync, lstatSync, unlinkSync } from "node:fs"
import { createServer, type Server } from "node:http"
import { connect } from "node:net"
import { dirname } from "node:path"
import { getRequestListener } from "@hono/node-server"
import { ensurePrivateFolder } from "../settings/private.ts"
import type { Answer, Bindings } from "./app.ts"

/** Where the daemon can be reached, and how to end that. */
export interface Listening {
  /** `unix:/run/…/daemon.sock`, `http://127.0.0.1:4100` */
  readonly address: string
  /** takes no new connection, and resolves when the last one has ended */
  close(): Promise<void>
  /** ends all connections, whatever they are at */
  cut(): void
}

/** The daemon could not be started: one sentence, and how to mend it. */
export class ListenError extends Error {
  override readonly name = "ListenError"
  readonly hint?: string

  constructor(message: string, hint?: string) {
    super(message)
    if (hint !== undefined) this.hint = hint
  }
}

/** The longest name of a socket that every system takes, in bytes. */
const LONGEST = 103

/** @param via what requests come through, which may be known only when it listens */
export function serverOf(answer: Answer, via: () => Bindings["via"]): Server {
  const listener = getRequestListener((request, bindings) => answer(request, { ...bindings, via: via() } as Bindings))
  return createServer((incoming, outgoing) => void listener(incoming, outgoing))
}

export function listeningOn(server: Server, address: string): Listening {
  return {
    address,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeIdleConnections()
      }),
    cut: () => server.closeAllConnections(),
  }
}

export const started = (server: Server, where: object): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen(where, () => {
      server.off("error", reject)
      resolve()
    })
  })

/**
 * Listens on a socket that only this user can open: 0600, in a folder of 0700.
 *
 * @throws ListenError where the folder is open to others, or another daemon listens there.
 */
export async function listenOnSocket(path: string, answer: Answer): Promise<Listening> {
  if (Buffer.byteLength(path) > LONGEST) {
    throw new ListenError(
      `the socket's path is longer than ${LONGEST} bytes: \`${path}\``,
      "name a shorter one: --socket",
    )
  }
  const folder = dirname(path)
  if (!ensurePrivateFolder(folder)) {
    throw new ListenError(`the socket's folder \`${folder}\` must belong to you alone`, `chmod 700 ${folder}`)
  }
  await clear(path)
  const server = serverOf(answer, () => "socket")
  await started(server, { path })
  chmodSync(path, 0o600)
  return listeningOn(server, `unix:${path}`)
}

/** Takes away what a daemon that is gone has left; anything else stays, and is told. */
async function clear(path: string): Promise<void> {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (!stat) return
  if (!stat.isSocket())
    throw new ListenError(`\`${path}\` is there already, and is no socket`, "name another: --socket")
  if (await answers(path))
    throw new ListenError(`another daemon listens on \`${path}\``, "end it, or name another: --socket")
  unlinkSync(path)
}

const answers = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(path)
    socket.once("connect", () => {
      socket.destroy()
      resolve(true)
    })
    socket.once("error", () => resolve(false))
  })

/**
 * Listens on this machine's loopback address; port 0 is any that is free.
 *
 * @throws ListenError where the port is taken or is none.
 */
export async function listenOnPort(port: number, answer: Answer): Promise<Listening> {
  const server = serverOf(answer, () => "tcp")
  try {
    await started(server, { port, host: "127.0.0.1" })
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new ListenError(`the port ${port} cannot be listened on (${code ?? String(cause)})`, "name another: --port")
  }
  const address = server.address()
  return listeningOn(server, `http://127.0.0.1:${typeof address === "object" ? address?.port : port}`)
}
