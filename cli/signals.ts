import { constants } from "node:os"

const ENDING = Object.freeze(["SIGINT", "SIGTERM", "SIGHUP"] as const)

let heeded = false

/**
 * From now on a signal ends this process together with the processes that its hooks have started: without a listener it
 * would end alone, and nothing would ever end those. Where somebody else listens, a running script or `call`, the signal
 * is theirs. To be called before hooks run and not earlier: while stdin is read, no listener is heard.
 */
export function endWithHooks(): void {
  if (heeded) return
  heeded = true
  for (const signal of ENDING) {
    process.on(signal, () => {
      // Listeners of `exit` kill what runs (actions/run/child.ts).
      if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal])
    })
  }
}
