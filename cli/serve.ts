import { startDaemon } from "../daemon/serve.ts"
import { ownFolder } from "../settings/folders.ts"
import { openAudit } from "../store/audit/store.ts"
import { StoreError } from "../store/errors.ts"
import type { AuditStore } from "../store/ports.ts"
import type { Call } from "./command.ts"
import { CommandError } from "./errors.ts"
import { endWithHooks } from "./signals.ts"
import { ownSocket } from "./socket.ts"

/** Milliseconds for which a daemon that is told to stop waits for what is running. */
const GRACE_MS = 10_000

/** Runs the daemon until a signal ends it. Its log lines, one JSON object each, go to stderr. */
export async function run(call: Call): Promise<number> {
  const folder = ownFolder("state", call.io.env)
  const audit = await recordIn(folder)
  try {
    await serve(call, folder, audit)
  } finally {
    await audit.close()
  }
  return 0
}

/** @throws CommandError where decisions cannot be recorded: a daemon that cannot account for them does not start. */
async function recordIn(folder: string): Promise<AuditStore> {
  try {
    return await openAudit(folder)
  } catch (cause) {
    if (!(cause instanceof StoreError)) throw cause
    throw new CommandError(cause.message, cause.hint)
  }
}

async function serve({ given, io }: Call, folder: string, audit: AuditStore): Promise<void> {
  const policy = given.value("policy")
  const running = await startDaemon(
    {
      env: io.env,
      cwd: io.cwd,
      folder,
      audit,
      flags: given.settings,
      log: (text) => io.err.write(text),
      ...(policy === undefined ? {} : { policy }),
    },
    { socket: ownSocket(io) },
  )
  const reload = (): void => void running.reload()
  process.on("SIGHUP", reload)
  await ended()
  await running.stop(GRACE_MS)
  process.off("SIGHUP", reload)
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
