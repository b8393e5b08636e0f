import { type ChildProcess, fork } from "node:child_process"
import { entryOf } from "../entry.ts"
import { type ChildEnd, type ChildPlan, type RunningChild, startChild } from "./child.ts"
import type { FromHelper, ToHelper } from "./messages.ts"
import { endTree } from "./tree.ts"

/**
 * Bytes of this process's memory above which a helper spawns for it: a spawn copies the parent's page tables, so that
 * its cost grows with the parent (2 ms at 90 MB, 25 ms at 1 GB).
 */
export const SPAWNER_ABOVE = 128 * 1024 * 1024

/** The code of a run whose helper ended under it. */
export const HELPER_ENDED = "HELPER_ENDED"

/** A helper that died this often before it was ready is not started again. */
const TRIES = 3

export interface Spawner {
  start(plan: ChildPlan): RunningChild
  /** ends what runs, and the helper */
  close(): Promise<void>
}

interface Pending {
  pid?: number
  settle(end: ChildEnd): void
}

interface Helper {
  readonly process: ChildProcess
  readonly pending: Map<string, Pending>
  ready: boolean
}

/** Starts children here while this process is small, and else through a helper that is started once and kept. */
export function createSpawner(above = SPAWNER_ABOVE, base: Readonly<Record<string, string>> = {}): Spawner {
  const running = new Set<RunningChild>()
  let helper: Helper | undefined
  let failures = 0

  const ensure = (): Helper | undefined => {
    if (!helper && failures < TRIES) {
      helper = startHelper(base, (lost) => {
        if (helper === lost) helper = undefined
        failures = lost.ready ? 0 : failures + 1
      })
    }
    // Until it is ready the slow way is the faster one.
    return helper?.ready ? helper : undefined
  }

  return {
    start(plan) {
      const through = process.memoryUsage.rss() > above ? ensure() : undefined
      const child = through ? startThrough(through, plan) : startChild(plan)
      running.add(child)
      child.ended.then(() => running.delete(child))
      return child
    },
    async close() {
      for (const child of running) child.stop()
      await Promise.all([...running].map((child) => child.ended))
      const last = helper?.process
      helper = undefined
      if (!last || last.exitCode !== null || last.signalCode !== null) return
      await new Promise<void>((resolve) => {
        last.once("exit", () => resolve())
        last.ref()
        if (last.connected) last.disconnect()
        else last.kill("SIGKILL")
      })
    },
  }
}

function startHelper(base: Readonly<Record<string, string>>, lost: (helper: Helper) => void): Helper {
  const { file, loader } = entryOf("./helper", import.meta.url)
  const child = fork(file, {
    // Not in our group: a Ctrl-C at the terminal is for the parent, which ends the helper when it goes.
    detached: true,
    env: { ...base },
    execArgv: loader ? ["--import", new URL("./dist/loader.mjs", loader).href] : [],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  })
  const helper: Helper = { process: child, pending: new Map(), ready: false }
  child.unref()
  rest(helper)
  child.on("message", (message: FromHelper) => {
    if ("ready" in message) {
      helper.ready = true
      return
    }
    const run = helper.pending.get(message.id)
    if (!run) return
    if ("pid" in message) run.pid = message.pid
    else run.settle(message.end)
  })
  let gone = false
  const fall = (): void => {
    if (gone) return
    gone = true
    lost(helper)
    // What the helper started has no one to end it now.
    for (const [id, run] of helper.pending) {
      endTree(run.pid, id, 0).then(() => run.settle({ how: "unstarted", code: HELPER_ENDED }))
    }
  }
  child.on("exit", fall)
  child.on("error", fall)
  child.on("disconnect", fall)
  return helper
}

function startThrough(helper: Helper, plan: ChildPlan): RunningChild {
  const tell = (message: ToHelper): void => {
    // A failure to send shows as the helper's end.
    if (helper.process.connected) helper.process.send(message, () => {})
  }
  const ended = new Promise<ChildEnd>((resolve) => {
    const settle = (end: ChildEnd): void => {
      helper.pending.delete(plan.id)
      rest(helper)
      resolve(end)
    }
    helper.pending.set(plan.id, { settle })
  })
  rest(helper)
  tell({ start: plan })
  return { ended, stop: () => tell({ stop: plan.id }) }
}

/** Keeps this process alive for the helper's answers only while there is one to come. */
function rest(helper: Helper): void {
  const channel = helper.process.channel
  if (helper.pending.size > 0) channel?.ref()
  else channel?.unref()
}
