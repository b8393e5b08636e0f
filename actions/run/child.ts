import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { once } from "node:events"
import { after } from "../deadline.ts"
import { collect } from "./collect.ts"
import { endTree, signalTree } from "./tree.ts"

/** Everything that a child's start needs, as plain data: it may cross to another process. */
export interface ChildPlan {
  /** the run's mark: see `RUN_VARIABLE` */
  readonly id: string
  /** the program's absolute path */
  readonly file: string
  readonly argv0: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly stdin: string
  readonly timeoutMs: number
}

/** How a child ended. Its own streams are bytes: characters may have been cut between reads. */
export type ChildEnd =
  | { readonly how: "exited"; readonly code: number; readonly stdout: Uint8Array; readonly stderr: Uint8Array }
  | { readonly how: "killed"; readonly signal: string; readonly stdout: Uint8Array; readonly stderr: Uint8Array }
  | { readonly how: "timeout" | "stopped" | "overflow" }
  /** `code` is the system's, such as E2BIG */
  | { readonly how: "unstarted"; readonly code: string }

export interface RunningChild {
  readonly pid?: number
  /** never rejects, and resolves when nothing of an interrupted run is alive */
  readonly ended: Promise<ChildEnd>
  /** ends the whole tree before its time */
  stop(): void
}

/** Bytes of stdout that a hook may write. */
export const STDOUT_LIMIT = 1024 * 1024
/** Bytes of stderr that are kept; the rest is read and thrown away. */
const STDERR_LIMIT = 64 * 1024
/** Milliseconds to wait, after the exit, for a stream that a grandchild holds open. */
const DRAIN_MS = 250
/** The same for stderr, which is no part of the answer. */
const STDERR_DRAIN_MS = 10

/** The first processes of the runs under way, by mark: none outlives this process. */
const live = new Map<string, number>()
let watching = false

/** Starts a program and conducts it to its end. The one place where hooks are spawned, here and in the helper. */
export function startChild(plan: ChildPlan): RunningChild {
  const { file, args, argv0, cwd, env } = plan
  let child: ChildProcessWithoutNullStreams
  try {
    child = spawn(file, args, { argv0, cwd, env, detached: true, stdio: "pipe" })
  } catch (error) {
    return { ended: Promise.resolve({ how: "unstarted", code: codeOf(error) }), stop: () => {} }
  }
  if (child.pid === undefined) {
    const ended = once(child, "error").then(([error]) => ({ how: "unstarted", code: codeOf(error) }) as const)
    return { ended, stop: () => {} }
  }
  child.on("error", () => {})
  return { pid: child.pid, ...conduct(child, child.pid, plan) }
}

/** Follows one child until it has exited and its streams are read, or it is interrupted and its tree is gone. */
function conduct(child: ChildProcessWithoutNullStreams, pid: number, plan: ChildPlan): Omit<RunningChild, "pid"> {
  let resolve = (_end: ChildEnd): void => {}
  const ended = new Promise<ChildEnd>((settled) => {
    resolve = settled
  })
  let exit: { readonly code: number | null; readonly signal: string | null } | undefined
  let drain: NodeJS.Timeout | undefined
  let over = false

  const settle = (end: ChildEnd): void => {
    clearTimeout(deadline)
    clearTimeout(drain)
    live.delete(plan.id)
    child.stdin.destroy()
    child.stdout.destroy()
    child.stderr.destroy()
    resolve(end)
  }
  const interrupt = (how: "timeout" | "stopped" | "overflow"): void => {
    // One that has exited in time is only waited for to be read.
    if (exit && how !== "overflow") {
      readThenFinish()
      return
    }
    if (over) return
    over = true
    clearTimeout(deadline)
    endTree(pid, plan.id).then(() => settle({ how }))
  }
  /**
   * When this process was busy, a timer is due before anybody has looked at what the child had written: one look at the
   * streams comes first, or a refusal that lies there unread would count as no opinion.
   */
  const readThenFinish = (): void => {
    setImmediate(finish)
  }
  const finish = (): void => {
    if (!exit || over) return
    over = true
    const streams = { stdout: stdout.bytes(), stderr: stderr.bytes() }
    settle(
      exit.code === null
        ? { how: "killed", signal: exit.signal ?? "unknown", ...streams }
        : { how: "exited", code: exit.code, ...streams },
    )
  }
  const advance = (): void => {
    if (stdout.full) interrupt("overflow")
    if (!exit || over) return
    clearTimeout(drain)
    if (stdout.open || stderr.open) drain = setTimeout(readThenFinish, stdout.open ? DRAIN_MS : STDERR_DRAIN_MS)
    else finish()
  }

  const deadline = after(plan.timeoutMs, () => interrupt("timeout"))
  const stdout = collect(child.stdout, STDOUT_LIMIT, advance)
  const stderr = collect(child.stderr, STDERR_LIMIT, advance)
  watch(plan.id, pid)
  child.on("exit", (code, signal) => {
    exit = { code, signal }
    advance()
  })
  // A child may end, or close its end, before it has read the event: that is its own affair.
  child.stdin.on("error", () => {})
  child.stdin.end(plan.stdin)
  return { ended, stop: () => interrupt("stopped") }
}

function watch(id: string, pid: number): void {
  live.set(id, pid)
  if (watching) return
  watching = true
  process.once("exit", () => {
    for (const [mark, root] of live) signalTree(root, mark, "SIGKILL")
  })
}

const codeOf = (error: unknown): string => {
  const code = (error as { code?: unknown }).code
  return typeof code === "string" ? code : "error"
}
