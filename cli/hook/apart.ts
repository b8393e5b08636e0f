import { renameSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { JsonObject } from "../../effects/json.ts"
import type { Happening } from "../../engine/ports.ts"
import { takesKind } from "../../policy/happenings.ts"
import type { Policy } from "../../policy/policy.ts"
import { ownFolder } from "../../settings/folders.ts"
import { ensurePrivateFolder, readPrivateFile } from "../../settings/private.ts"
import type { Call } from "../command.ts"
import type { Io } from "../io.ts"

/** The observers of a policy, taken out of a process that somebody waits for. */
export interface Apart {
  /** the policy without them */
  readonly policy: Policy
  /** keeps what one of them may want to see; absent where there are none */
  readonly publish?: (happening: Happening) => void
  /** starts them behind this process, once what is waited for has been said */
  start(): Promise<void>
}

/**
 * Takes the observers out: they run after the answer, in a process of their own. What went wrong with them is said when the next
 * event comes.
 *
 * INVARIANT: an answer never waits for an observer (test/cli/hook-observers.test.ts).
 */
export function observersApart(call: Call, policy: Policy, caller: JsonObject): Apart {
  const observers = policy.hooks.filter((hook) => hook?.phase === "observe" && hook.enabled)
  if (observers.length === 0) return { policy, start: async () => {} }
  tellLast(call.io)
  const seen: string[] = []
  return {
    policy: { ...policy, hooks: policy.hooks.filter((hook) => hook?.phase !== "observe") },
    publish: (happening) => {
      if (!observers.some((hook) => takesKind(hook!.on, happening.type))) return
      seen.push(`${JSON.stringify({ caller, ...happening })}\n`)
    },
    start: async () => {
      if (seen.length === 0) return
      try {
        const { startBehind } = await import("../behind.ts")
        startBehind(
          call.io,
          ["hook", "observe", ...sameFlags(call, "hook observe"), ...logFlag(call.io)],
          seen.join(""),
        )
      } catch (cause) {
        // The answer is out: nothing may come after it.
        call.io.err.line(`detent: the observers could not be started: ${(cause as Error).message}`)
      }
    },
  }
}

/** What was said to this command and another one knows, too: the policy, the settings, the models. */
export function sameFlags({ given, commands }: Call, command: string, but: readonly string[] = []): readonly string[] {
  const flags = commands[command]!.flags.filter(({ name }) => given.on(name) && !but.includes(name))
  return flags.flatMap(({ name }) => given.values(name).map((value) => `--${name}=${value}`))
}

const LOG = "observers.log"

/** Where the folder cannot be had, what goes wrong with observers is told to nobody. */
function logFlag({ env, err }: Io): readonly string[] {
  const folder = ownFolder("state", env)
  if (ensurePrivateFolder(folder)) return [`--log=${join(folder, LOG)}`]
  err.line(`detent: \`${folder}\` is not your own: what goes wrong with observers will not be told`)
  return []
}

/** Tells what went wrong with the observers of earlier events, once. */
function tellLast({ env, err }: Io): void {
  const path = join(ownFolder("state", env), LOG)
  const taken = `${path}.${process.pid}`
  try {
    renameSync(path, taken)
  } catch {
    return
  }
  err.write(readPrivateFile(taken) ?? "")
  rmSync(taken, { force: true })
}
