import { resolve } from "node:path"
import { listOf, settingOf } from "../policy/said.ts"
import { answerOf } from "./app.ts"
import { Daemon } from "./daemon.ts"
import { listenOnInherited } from "./inherited.ts"
import { type Listening, listenOnPort, listenOnSocket } from "./listen.ts"
import { startTraces } from "./traces.ts"
import type { World } from "./world.ts"

/** Where a daemon listens, unless its settings say otherwise. */
export interface Places {
  readonly socket: string
  /** descriptors of sockets that listen already, handed over by whoever started this process: they take its place */
  readonly inherited?: readonly number[]
}

export interface Running {
  readonly addresses: readonly string[]
  /** Reads the policy again now; one that is bad leaves the last good one in force. */
  reload(): Promise<void>
  /** Lets what is running come to its end, for at most this many milliseconds, and ends. */
  stop(graceMs: number): Promise<void>
}

/**
 * Starts a daemon: it answers when this resolves.
 *
 * @throws PolicyError, StoreError, ListenError: then nothing of it is left.
 */
export async function startDaemon(world: World, places: Places): Promise<Running> {
  const daemon = await Daemon.open(world)
  const endTraces = await startTraces(world)
  const { policy } = daemon.standing
  const answer = answerOf(daemon, listOf(policy, "serve.origins"))
  const socket = settingOf(policy, "serve.socket")
  const port = settingOf(policy, "serve.port")
  const listening: Listening[] = []
  try {
    const { inherited = [] } = places
    for (const fd of inherited) listening.push(await listenOnInherited(fd, answer))
    if (inherited.length === 0 || socket !== undefined) {
      listening.push(await listenOnSocket(socket === undefined ? places.socket : resolve(world.cwd, socket), answer))
    }
    if (port !== undefined) listening.push(await listenOnPort(port, answer))
  } catch (cause) {
    await Promise.all(listening.map((one) => one.close()))
    await daemon.close()
    await endTraces?.()
    throw cause
  }
  const addresses = listening.map(({ address }) => address)
  daemon.log.info({ addresses }, "listening")
  return {
    addresses,
    reload: () => daemon.reload(),
    stop: (graceMs) => stop(daemon, listening, graceMs).finally(endTraces),
  }
}

async function stop(daemon: Daemon, listening: readonly Listening[], graceMs: number): Promise<void> {
  daemon.stopping = true
  // Readers of events, and of what MCP sessions are told, would keep their connections open for ever.
  daemon.bus.close()
  daemon.standing.doors.rest()
  daemon.log.info("stopping")
  const cut = setTimeout(() => {
    daemon.log.warn("cutting what is still running")
    for (const one of listening) one.cut()
  }, graceMs)
  await Promise.all(listening.map((one) => one.close()))
  clearTimeout(cut)
  await daemon.close(graceMs)
  daemon.log.info("stopped")
}
