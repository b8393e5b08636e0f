import { signalTree } from "./tree.ts"

const PASSED_ON = Object.freeze(["SIGINT", "SIGTERM", "SIGHUP"] as const)

/**
 * Passes the signals of this process on to the script's group, which may then end in its own time. A second SIGINT
 * kills, and so does an end of this process before the script's. The answer takes the listeners off again.
 */
export function passSignalsOn(pid: number): () => void {
  let interrupted = false
  const listeners = PASSED_ON.map((signal) => {
    const pass = (): void => {
      signalTree(pid, signal === "SIGINT" && interrupted ? "SIGKILL" : signal)
      interrupted ||= signal === "SIGINT"
    }
    process.on(signal, pass)
    return () => void process.removeListener(signal, pass)
  })
  const leave = (): void => signalTree(pid, "SIGKILL")
  process.on("exit", leave)
  return () => {
    process.removeListener("exit", leave)
    for (const remove of listeners) remove()
  }
}

/** Kills the script's process tree when the signal is aborted. The answer takes the listener off again. */
export function killOnAbort(pid: number, signals: readonly (AbortLike | undefined)[]): () => void {
  const kill = (): void => signalTree(pid, "SIGKILL")
  for (const signal of signals) {
    if (signal?.aborted) kill()
    else signal?.addEventListener("abort", kill, { once: true })
  }
  return () => {
    for (const signal of signals) signal?.removeEventListener("abort", kill)
  }
}

interface AbortLike {
  readonly aborted: boolean
  addEventListener(type: "abort", listener: () => void, options?: { once?: boolean }): void
  removeEventListener(type: "abort", listener: () => void): void
}
