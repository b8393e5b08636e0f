/**
 * The helper process: spawns for a parent whose memory makes its own spawns slow. It holds little memory itself, takes
 * plans over its channel, and goes, with all its children, when the parent goes.
 */
import { type RunningChild, startChild } from "./child.ts"
import type { FromHelper, ToHelper } from "./messages.ts"

const running = new Map<string, RunningChild>()

const tell = (message: FromHelper): void => {
  if (process.connected) process.send?.(message, undefined, undefined, () => {})
}

process.on("message", (message: ToHelper) => {
  if ("stop" in message) {
    running.get(message.stop)?.stop()
    return
  }
  const { id } = message.start
  const child = startChild(message.start)
  running.set(id, child)
  if (child.pid !== undefined) tell({ id, pid: child.pid })
  child.ended.then((end) => {
    running.delete(id)
    tell({ id, end })
  })
})

// The exit listener of child.ts kills what still runs.
process.on("disconnect", () => process.exit(0))

tell({ ready: true })
