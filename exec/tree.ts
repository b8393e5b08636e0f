import { readdirSync, readFileSync } from "node:fs"

/**
 * Sends a signal to a process group, and with `SIGKILL` also to descendants that have left the group.
 *
 * Does nothing where they are gone already.
 *
 * @param pid the leader of the group
 */
export function signalTree(pid: number, signal: NodeJS.Signals): void {
  const strays = signal === "SIGKILL" ? descendants(pid) : []
  kill(-pid, signal)
  for (const stray of strays) kill(stray, signal)
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // gone, which is what was wanted
  }
}

/** From the process table where there is one to read; elsewhere the group has to do. */
function descendants(root: number): number[] {
  const children = new Map<number, number[]>()
  try {
    for (const name of readdirSync("/proc")) {
      if (!/^\d+$/.test(name)) continue
      const parent = parentOf(name)
      if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), Number(name)])
    }
  } catch {
    return []
  }
  const found = [...(children.get(root) ?? [])]
  for (const pid of found) found.push(...(children.get(pid) ?? []))
  return found
}

function parentOf(pid: string): number | undefined {
  try {
    // `pid (name) state ppid …`, and the name may hold anything
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1")
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1])
  } catch {
    return undefined
  }
}
