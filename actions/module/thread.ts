import { Worker } from "node:worker_threads"
import type { JsonObject } from "../../effects/json.ts"
import { type Entry, entryOf } from "../entry.ts"
import { type Environment, freshRun, RUN_VARIABLE } from "../run/environment.ts"
import { endTree } from "../run/tree.ts"
import type { FromWorker, ToWorker, Trouble, WorkerStart } from "./messages.ts"

/** How one run in a thread ended; `output` undefined is no opinion. */
export type ThreadEnd =
  | { readonly how: "answered"; readonly output: unknown }
  | { readonly how: Trouble | "memory" | "timeout" | "unsent" }
  /** it called process.exit */
  | { readonly how: "left"; readonly code: number }

/** Megabytes, so that a module that runs out of memory fails alone. */
const LIMITS = Object.freeze({ maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 })

/** One warm worker thread of one module: at rest, or busy with one event. */
export interface Thread {
  run(event: JsonObject, settle: (end: ThreadEnd) => void): void
  /** tells the module that its time is over; what it answers now is not heard */
  abort(): void
  /** ends the thread, also out of an endless loop */
  end(): void
  /** ends the thread and the processes that it started */
  kill(): Promise<void>
}

export interface ThreadStart {
  readonly path: string
  /** the variables of the thread, which its processes inherit */
  readonly env: Readonly<Record<string, string>>
  /** the environment of this process */
  readonly parent: Environment
  /** called once, when the thread is gone */
  readonly gone: () => void
}

/** Starts a thread. It keeps this process alive only while it is busy. */
export function startThread({ path, env, parent, gone }: ThreadStart): Thread {
  const { id: mark, mark: marks } = freshRun(parent)
  const worker = open(entryOf("./worker", import.meta.url), { path }, { ...env, [RUN_VARIABLE]: marks })
  let runs = 0
  let settle: ((end: ThreadEnd) => void) | undefined
  let crash: "threw" | "memory" | undefined
  const finish = (end: ThreadEnd): void => {
    const waiting = settle
    settle = undefined
    waiting?.(end)
  }
  // Not awaited: a thread that is stuck in the system ends only when the system lets go of it.
  const end = (): void => {
    worker.terminate().catch(() => {})
  }
  worker.unref()
  worker.on("message", (message: FromWorker) => {
    if (message.id !== runs || !settle) return
    worker.unref()
    finish(message.trouble ? { how: message.trouble } : { how: "answered", output: message.output })
  })
  worker.on("error", (error: NodeJS.ErrnoException) => {
    crash = error.code === "ERR_WORKER_OUT_OF_MEMORY" ? "memory" : "threw"
  })
  worker.on("exit", (code) => {
    gone()
    finish(crash ? { how: crash } : { how: "left", code })
  })
  return {
    run(event, then) {
      settle = then
      worker.ref()
      try {
        worker.postMessage({ id: ++runs, event } satisfies ToWorker)
      } catch {
        worker.unref()
        finish({ how: "unsent" })
      }
    },
    abort() {
      settle = undefined
      worker.postMessage({ abort: runs } satisfies ToWorker)
    },
    end,
    async kill() {
      end()
      await endTree(undefined, mark, 0)
    },
  }
}

/**
 * Its streams are neither ours nor read: reading one would keep this process alive, and the worker swallows what a hook
 * prints. From source the worker's own file is TypeScript, which a thread cannot start from: a line of
 * JavaScript loads it.
 */
function open({ file, loader }: Entry, workerData: WorkerStart, env: Record<string, string>): Worker {
  const options = { workerData, env, execArgv: [], argv: [], stdout: true, stderr: true, resourceLimits: LIMITS }
  if (!loader) return new Worker(file, options)
  const api = new URL("./dist/esm/api/index.mjs", loader).href
  const line = `import(${JSON.stringify(api)}).then(({ tsImport }) => tsImport(${JSON.stringify(file)}, ${JSON.stringify(file)}))`
  return new Worker(line, { ...options, eval: true })
}
