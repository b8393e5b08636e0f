import { startDaemon } from "../daemon/serve.ts"
import { ownFolder } from "../settings/folders.ts"
import type { Call } from "./command.ts"
import { inheritedSockets } from "./inherited.ts"
import { endWithHooks } from "./signals.ts"
import { ownSocket } from "./socket.ts"

/** Milliseconds for which a daemon that is told to stop waits for what is running. */
const GRACE_MS = 10_000

/** Runs the daemon until a signal ends it. Its log lines, one JSON object each, go to stderr. */
export async function run({ given, io }: Call): Promise<number> {
  const policy = given.value("policy")
  const running = await startDaemon(
    {
      env: io.env,
      cwd: io.cwd,
      folder: ownFolder("state", io.env),
      flags: given.settings,
      log: (text) => io.err.write(text),
      ...(policy === undefined ? {} : { policy }),
    },
    { socket: ownSocket(io), inherited: inheritedSockets(io.env, process.pid) },
  )
  const reload = (): void => void running.reload()
  process.on("SIGHUP", reload)
  await ended()
  await running.stop(GRACE_MS)
  process.off("SIGHUP", reload)
  return 0
}

/** Resolves when this process is told to end; a second signal ends it at once, with all that its hooks have started. */
function ended(): Promise<void> {
  endWithHooks()
  return new Promise((resolve) => {
    const once = (): void => {
      process.off("SIGINT", once).off("SIGTERM", once)
      resolve()
    }
    process.on("SIGINT", once).on("SIGTERM", once)
  })
}
