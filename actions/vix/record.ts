import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import type { Behavior } from "../../dialects/vix/decision.ts"
import { showDuration } from "../../dialects/vix/duration.ts"
import { isObject, type JsonObject, parseJson } from "../../effects/json.ts"
import type { FolderHook } from "./folder.ts"

/** One time that a hook fired, and what came of it. */
export interface Fire {
  /** ISO 8601 */
  readonly at: string
  readonly event: string
  readonly async: boolean
  /** a sync hook's decision as it stands, an async hook's end; `error` where it failed */
  readonly status: Behavior | "done" | "error"
  readonly durationMs: number
  readonly error?: string
  /** the thread that an async workflow or prompt left */
  readonly threadId?: string
  /** for the log: whose event, about which tool, and what else there is to say */
  readonly more: JsonObject
}

/** Fires that `state.json` keeps. */
const KEPT = 10

/**
 * Writes a fire down, in the hook's own `state.json` and in the run log of the day. What cannot be written is told and stops
 * nothing.
 *
 * @param dir the folder of all hooks
 */
export async function record(hook: FolderHook, dir: string, fire: Fire): Promise<string[]> {
  const failed: string[] = []
  await attempt(failed, join(hook.folder, "state.json"), (path) => locked(hook.folder, () => writeState(path, fire)))
  await attempt(failed, logOf(dir, fire.at), (path) => append(path, hook.id, fire))
  return failed
}

async function attempt(failed: string[], path: string, write: (path: string) => unknown): Promise<void> {
  try {
    await write(path)
  } catch (cause) {
    failed.push(`\`${path}\` cannot be written (${(cause as NodeJS.ErrnoException).code ?? "error"})`)
  }
}

/** `logs/hooks/<date>.jsonl` beside the folder of hooks. */
const logOf = (dir: string, at: string): string => join(dirname(dir), "logs", "hooks", `${at.slice(0, 10)}.jsonl`)

/** A whole line in one write: other processes append to the same file. */
function append(
  path: string,
  hook: string,
  { at, event, async, status, durationMs, error, threadId, more }: Fire,
): void {
  mkdirSync(dirname(path), { recursive: true })
  const line = {
    at,
    hook,
    event,
    async,
    status,
    duration: showDuration(durationMs),
    ...(error === undefined ? {} : { error }),
    ...(threadId === undefined ? {} : { thread_id: threadId }),
    ...more,
  }
  appendFileSync(path, `${JSON.stringify(line)}\n`, { mode: 0o600 })
}

let count = 0

function writeState(path: string, { at, event, async, status, durationMs, error = "", threadId }: Fire): void {
  const run = {
    at,
    status,
    async,
    event,
    error,
    ...(threadId === undefined ? {} : { thread_id: threadId }),
    duration: showDuration(durationMs),
  }
  const state = {
    last_fired_at: at,
    last_status: status,
    last_error: error,
    recent_runs: [...runsIn(path), run].slice(-KEPT),
  }
  const temporary = `${path}.${process.pid}-${++count}.tmp`
  try {
    writeFileSync(temporary, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 })
    renameSync(temporary, path)
  } catch (cause) {
    rmSync(temporary, { force: true })
    throw cause
  }
}

/** A file that somebody has damaged is begun anew: the run log has all of it. */
function runsIn(path: string): readonly unknown[] {
  try {
    const state = parseJson(readFileSync(path, "utf8"))
    return isObject(state) && Array.isArray(state.recent_runs) ? state.recent_runs : []
  } catch {
    return []
  }
}

/** Milliseconds after which a lock is one that a killed process has left behind. */
const STALE_MS = 2000
const PAUSE_MS = 5

/** Reading and writing are one step for every process: else one's run is lost to another's. */
async function locked(folder: string, write: () => void): Promise<void> {
  const lock = join(folder, ".state.lock")
  for (;;) {
    try {
      mkdirSync(lock)
      break
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw cause
      if (ageOf(lock) > STALE_MS) rmSync(lock, { recursive: true, force: true })
      else await sleep(PAUSE_MS)
    }
  }
  try {
    write()
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
}

function ageOf(path: string): number {
  try {
    return Date.now() - statSync(path).mtimeMs
  } catch {
    return 0
  }
}
