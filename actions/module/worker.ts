/** The worker thread of one hook module: loads it once, then answers event after event, one at a time. */
import { pathToFileURL } from "node:url"
import { parentPort, workerData } from "node:worker_threads"
import type { FromWorker, ToWorker, WorkerStart } from "./messages.ts"
import { plainJson } from "./plain.ts"

type HookFunction = (event: unknown, context: { readonly signal: AbortSignal }) => unknown

const port = parentPort
if (!port) throw new Error("this file is the entry of a worker thread")

// What a hook prints goes nowhere: a stream that nobody reads would fill this thread's memory.
for (const stream of [process.stdout, process.stderr]) {
  stream.write = (_chunk: unknown, encoding?: unknown, done?: unknown): boolean => {
    const called = typeof encoding === "function" ? encoding : done
    if (typeof called === "function") process.nextTick(() => called())
    return true
  }
}

const { path } = workerData as WorkerStart
let hook: HookFunction | "unloaded" | "no-function" | undefined
let current: { readonly id: number; controller?: AbortController; aborted?: true } | undefined
const loading = load().then((loaded) => {
  hook = loaded
})

port.on("message", (message: ToWorker) => {
  if ("abort" in message) {
    if (current?.id !== message.abort) return
    current.aborted = true
    current.controller?.abort()
  } else if (hook === undefined) loading.then(() => answer(message.id, message.event))
  else answer(message.id, message.event)
})

async function load(): Promise<HookFunction | "unloaded" | "no-function"> {
  try {
    const url = pathToFileURL(path).href
    // The loader is only for those who write TypeScript: it costs more to import than the module.
    const loaded = /\.[mc]?tsx?$/.test(path)
      ? await (await import("tsx/esm/api")).tsImport(url, import.meta.url)
      : await import(url)
    // A CommonJS module that was compiled from `export default` holds its function one level deeper.
    const found = typeof loaded.default === "function" ? loaded.default : loaded.default?.default
    return typeof found === "function" ? found : "no-function"
  } catch {
    return "unloaded"
  }
}

async function answer(id: number, event: unknown): Promise<void> {
  if (typeof hook !== "function") return tell({ id, trouble: hook ?? "unloaded" })
  const run: NonNullable<typeof current> = { id }
  current = run
  let output: unknown
  try {
    output = hook(event, {
      get signal() {
        run.controller ??= new AbortController()
        if (run.aborted) run.controller.abort()
        return run.controller.signal
      },
    })
    if (output !== null && typeof output === "object" && "then" in output) output = await output
  } catch {
    return tell({ id, trouble: "threw" })
  }
  if (output === undefined) return tell({ id })
  try {
    tell({ id, output: plainJson(output) })
  } catch {
    tell({ id, trouble: "unfit" })
  }
}

const tell = (message: FromWorker): void => port.postMessage(message)
