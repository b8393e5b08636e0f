import { type ChildProcess, spawn } from "node:child_process"
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
  let child: ChildProcess
  try {
    child = spawn(plan.file, plan.args, {
      argv0: plan.argv0,
      cwd: plan.cwd,
      env: plan.env,
      detached: true,
      stdio: "pipe",
    })
  } catch (error) {
    return { ended: Promise.resolve({ how: "unstarted", code: codeOf(error) }), stop: () => {} }
  }
  let stop = (): void => {}
  const ended = new Promise<ChildEnd>((resolve) => {
    stop = conduct(child, plan, resolve)
  })
  return child.pid === undefined ? { ended, stop } : { pid: child.pid, ended, stop }
}

/** Follows one child; the answer ends it early. */
function conduct(child: ChildProcess, plan: ChildPlan, resolve: (end: ChildEnd) => void): () => void {
  const stdout: Buffer[] = []
  const stderr: Buffer[] = []
  let written = 0
  let kept = 0
  let exit: { code: number | null; signal: string | null } | undefined
  const open = { stdout: true, stderr: true }
  let drain: NodeJS.Timeout | undefined
  let interrupted = false
  let settled = false

  const settle = (end: ChildEnd): void => {
    if (settled) return
    settled = true
    clearTimeout(deadline)
    clearTimeout(drain)
    live.delete(plan.id)
    child.stdin?.destroy()
    child.stdout?.destroy()
    child.stderr?.destroy()
    resolve(end)
  }
  const interrupt = (how: "timeout" | "stopped" | "overflow"): void => {
    if (interrupted || settled) return
    if (exit) {
      if (how === "overflow") settle({ how })
      else finish()
      return
    }
    interrupted = true
    clearTimeout(deadline)
    endTree(child.pid, plan.id).then(() => settle({ how }))
  }
  const finish = (): void => {
    if (!exit || interrupted) return
    const streams = { stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr) }
    settle(
      exit.code === null
        ? { how: "killed", signal: exit.signal ?? "unknown", ...streams }
        : { how: "exited", code: exit.code, ...streams },
    )
  }
  /** Settles once it has exited and its streams are read, or no longer worth waiting for. */
  const advance = (): void => {
    if (!exit || interrupted || settled) return
    clearTimeout(drain)
    if (!open.stdout && !open.stderr) finish()
    else drain = setTimeout(finish, open.stdout ? DRAIN_MS : STDERR_DRAIN_MS)
  }
  const closed = (which: "stdout" | "stderr"): void => {
    open[which] = false
    advance()
  }
  const deadline = setTimeout(() => interrupt("timeout"), plan.timeoutMs)

  child.on("error", (error) => {
    if (child.pid === undefined) settle({ how: "unstarted", code: codeOf(error) })
  })
  if (child.pid === undefined) return () => {}
  watch(plan.id, child.pid)

  child.on("exit", (code, signal) => {
    exit = { code, signal }
    advance()
  })
  child.stdout?.on("data", (bytes: Buffer) => {
    written += bytes.length
    if (written > STDOUT_LIMIT) interrupt("overflow")
    else stdout.push(bytes)
  })
  child.stderr?.on("data", (bytes: Buffer) => {
    if (kept < STDERR_LIMIT) stderr.push(bytes.subarray(0, STDERR_LIMIT - kept))
    kept += bytes.length
  })
  child.stdout?.on("close", () => closed("stdout"))
  child.stderr?.on("close", () => closed("stderr"))
  child.stdout?.on("error", () => {})
  child.stderr?.on("error", () => {})
  // A child may end, or close its end, before it has read the event: that is its own affair.
  child.stdin?.on("error", () => {})
  child.stdin?.end(plan.stdin)
  return () => interrupt("stopped")
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
