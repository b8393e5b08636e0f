import { readdirSync, readFileSync } from "node:fs"
import { setTimeout as wait } from "node:timers/promises"

/** Milliseconds between the request to end and the kill. */
export const GRACE_MS = 200

/** Rounds of killing: each catches what the one before let fork. */
const KILL_ROUNDS = 8

interface Seen {
  readonly parent: number
  readonly group: number
  readonly session: number
  /** when it started, in ticks: a pid with another start is another process */
  readonly start: string
}

/** Processes by pid, with their starts. */
type Members = ReadonlyMap<number, string>

/**
 * Ends every process of a run and resolves when none is left: asks with SIGTERM, kills after the grace.
 *
 * @param root the pid of the run's first process, a group leader; undefined where only the mark is known
 * @param id the run's mark, which is in the environment of all its processes
 */
export async function endTree(root: number | undefined, id: string, graceMs = GRACE_MS): Promise<void> {
  let known: Members = new Map()
  if (graceMs > 0) {
    known = signalTree(root, id, "SIGTERM")
    const until = performance.now() + graceMs
    while (performance.now() < until && [...known].some(isAlive)) await wait(Math.min(20, until - performance.now()))
  }
  for (let round = 0; round < KILL_ROUNDS; round++) {
    known = signalTree(root, id, "SIGKILL", known)
    if (known.size === 0) return
    await wait(10)
  }
}

/**
 * Sends a signal to every live process of a run, and answers which these are.
 *
 * @param known members that were seen before: one whose parent has ended since may show in nothing else
 */
export function signalTree(
  root: number | undefined,
  id: string,
  signal: NodeJS.Signals,
  known: Members = new Map(),
): Members {
  const members = hasTable ? membersOf(root, id, known) : groupOf(root)
  if (root !== undefined) send(-root, signal)
  for (const pid of members.keys()) send(pid, signal)
  return members
}

const hasTable = process.platform === "linux"

/** Where there is no process table to read, a run is its group. */
const groupOf = (root: number | undefined): Members =>
  root !== undefined && send(-root, 0) ? new Map([[root, ""]]) : new Map()

/**
 * Who belongs to a run: its group and session, all descendants, and, since one that called setsid and lost its parent
 * shows in none of these, whoever carries its mark in the environment.
 */
function membersOf(root: number | undefined, id: string, known: Members): Members {
  const all = new Map<number, Seen>()
  for (const name of readdirSync("/proc")) {
    const pid = Number(name)
    const seen = Number.isInteger(pid) && pid !== process.pid ? look(pid) : undefined
    if (seen) all.set(pid, seen)
  }
  const inside = new Map<number, string>()
  for (const [pid, { group, session, start }] of all) {
    const near = root !== undefined && (pid === root || group === root || session === root)
    if (near || known.get(pid) === start || carries(pid, id)) inside.set(pid, start)
  }
  for (let before = -1; before !== inside.size; ) {
    before = inside.size
    for (const [pid, { parent, start }] of all) if (inside.has(parent)) inside.set(pid, start)
  }
  return inside
}

/** Its place in the process table; undefined for one that is gone, or only waits to be collected. */
function look(pid: number): Seen | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1")
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    if (fields[0] === "Z" || fields[0] === "X") return undefined
    return { parent: Number(fields[1]), group: Number(fields[2]), session: Number(fields[3]), start: fields[19] ?? "" }
  } catch {
    return undefined
  }
}

const isAlive = ([pid, start]: [number, string]): boolean => (hasTable ? look(pid)?.start === start : send(-pid, 0))

function carries(pid: number, id: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`).includes(id)
  } catch {
    return false
  }
}

function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal)
    return true
  } catch {
    return false
  }
}
