import { join } from "node:path"
import { afterEach } from "vitest"
import { type Running, startDaemon } from "../../daemon/serve.ts"
import type { World } from "../../daemon/world.ts"
import type { Flags } from "../../settings/given.ts"
import { openState } from "../../store/state/state.ts"
import { environment, folderWith } from "../cli/capture.ts"
import { type Answered, type Loose, open, type Send, send, type Way } from "./client.ts"

/** A daemon under test, in a folder of its own. */
export interface Started {
  readonly cwd: string
  readonly folder: string
  readonly way: Way
  readonly running: Running
  /** each log line */
  readonly log: Loose[]
  send(what: Send): Promise<Answered>
  open(what: Send): ReturnType<typeof open>
  decide(event: object, more?: Partial<Send>): Promise<Answered>
}

const started: Running[] = []
afterEach(async () => {
  await Promise.all(started.splice(0).map((running) => running.stop(1000)))
})

export interface Choice {
  readonly files?: Readonly<Record<string, unknown>>
  readonly policy?: string
  readonly flags?: Flags
  readonly env?: Readonly<Record<string, string>>
  readonly audit?: World["audit"]
  /** also on TCP, on any port that is free */
  readonly tcp?: true
  readonly cwd?: string
  /** under the policy that is found there, and not under one that is named */
  readonly found?: true
}

/** Starts a daemon on a socket of its own; `policy` is the text of its policy. */
export async function daemonWith(choice: Choice = {}): Promise<Started> {
  // A folder that is given keeps its files: it is a daemon's that was there before.
  const cwd = choice.cwd ?? folderWith({ "p.json": choice.policy ?? { version: 1 }, ...choice.files })
  const folder = join(cwd, "state", "detent")
  const log: Started["log"] = []
  const socketPath = join(cwd, "run", "d.sock")
  const running = await startDaemon(
    {
      cwd,
      folder,
      env: environment(join(cwd, "home"), choice.env),
      ...(choice.found ? {} : { policy: "p.json" }),
      flags: { ...(choice.tcp ? { "serve.port": "0" } : {}), ...choice.flags },
      ...(choice.audit ? { audit: choice.audit } : {}),
      log: (text) => log.push(JSON.parse(text)),
    },
    { socket: socketPath },
  )
  started.push(running)
  const way: Way = choice.tcp ? { port: Number(/\d+$/.exec(running.addresses[1]!)![0]) } : { socketPath }
  return {
    cwd,
    folder,
    way,
    running,
    log,
    send: (what) => send(way, what),
    open: (what) => open(way, what),
    decide: (event, more) => send(way, { path: "/v1/decide", body: event, ...more }),
  }
}

/** Adds a caller to a daemon's store, as `detent caller add` does, and answers its token. */
export async function tokenIn(
  { folder }: Pick<Started, "folder">,
  id: string,
  more: Partial<Parameters<Awaited<ReturnType<typeof openState>>["callers"]["add"]>[0]> = {},
): Promise<string> {
  const state = await openState(folder)
  try {
    const added = await state.callers.add({ id, autonomy: "run", scopes: ["decide"], ...more })
    return added.token
  } finally {
    state.close()
  }
}
