import type { JsonObject } from "../../effects/json.ts"
import type { AbortSignalLike } from "../../policy/policy.ts"
import { after } from "../deadline.ts"
import { startThread, type Thread, type ThreadEnd, type ThreadStart } from "./thread.ts"

/** Threads of one module at most; further runs wait, within their own deadlines. */
const THREADS = 4

/** Milliseconds between telling a module that its time is over and ending its thread. */
const ABORT_GRACE_MS = 100

interface Job {
  readonly event: JsonObject
  settle(end: ThreadEnd): void
  thread?: Thread
}

export interface Pool {
  run(event: JsonObject, timeoutMs: number, signal: AbortSignalLike): Promise<ThreadEnd>
  /** lets go of the threads at rest, and of the others once they are done */
  retire(): void
  /** ends all threads, whatever they do */
  close(): Promise<void>
}

/** The warm threads of one module. */
export function createPool(start: Omit<ThreadStart, "gone">): Pool {
  const all = new Set<Thread>()
  const idle: Thread[] = []
  const waiting: Job[] = []
  let retired = false

  const take = (): Thread | undefined => idle.pop() ?? (all.size < THREADS ? begin() : undefined)

  const begin = (): Thread => {
    const thread: Thread = startThread({
      ...start,
      gone: () => {
        drop(thread)
        next()
      },
    })
    all.add(thread)
    return thread
  }
  const drop = (thread: Thread): void => {
    all.delete(thread)
    const at = idle.indexOf(thread)
    if (at >= 0) idle.splice(at, 1)
  }
  const next = (): void => {
    while (waiting.length > 0) {
      const thread = take()
      if (!thread) return
      give(waiting.shift()!, thread)
    }
  }
  const give = (job: Job, thread: Thread): void => {
    job.thread = thread
    thread.run(job.event, (end) => {
      // A module that could not be loaded is read anew the next time.
      const spent = end.how === "unloaded" || end.how === "no-function" || (retired && waiting.length === 0)
      if (spent) {
        drop(thread)
        thread.end()
      } else if (all.has(thread)) idle.push(thread)
      job.settle(end)
      next()
    })
  }
  /** The deadline or a cancellation: the thread leaves the pool at once, so that no other run waits for its end. */
  const interrupt = (job: Job): void => {
    const { thread } = job
    if (!thread) {
      waiting.splice(waiting.indexOf(job), 1)
      job.settle({ how: "timeout" })
      return
    }
    drop(thread)
    thread.abort()
    setTimeout(() => thread.kill().then(() => job.settle({ how: "timeout" })), ABORT_GRACE_MS)
    next()
  }

  return {
    run: (event, timeoutMs, signal) =>
      new Promise((resolve) => {
        const stop = (): void => {
          release()
          interrupt(job)
        }
        const release = (): void => {
          clearTimeout(timer)
          signal.removeEventListener("abort", stop)
        }
        const job: Job = {
          event,
          settle(end) {
            release()
            resolve(end)
          },
        }
        const timer = after(timeoutMs, stop)
        signal.addEventListener("abort", stop, { once: true })
        const thread = take()
        if (thread) give(job, thread)
        else waiting.push(job)
      }),
    retire() {
      retired = true
      for (const thread of idle.splice(0)) {
        all.delete(thread)
        thread.end()
      }
    },
    async close() {
      retired = true
      for (const job of waiting.splice(0)) job.settle({ how: "timeout" })
      await Promise.all([...all].map((thread) => thread.kill()))
    },
  }
}
