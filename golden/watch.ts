import { type FSWatcher, statSync, watch } from "node:fs"
import { dirname, resolve } from "node:path"
import { caseFile, findCases, goldenFile } from "./find.ts"
import { runSuite, type SuiteOptions, type SuiteResult } from "./suite.ts"

/** Milliseconds without news before a run: an editor's rename is two of them. */
const QUIET_MS = 60

export interface Watching {
  /** stops, after the run that may be under way */
  close(): Promise<void>
}

/**
 * Runs the suite now and after every change of a case, a golden, a policy or a file that a hook runs. Folders are
 * watched, not files, so that one replaced by rename is seen; what hooks write elsewhere starts no run.
 *
 * @param onRun gets each whole result, or the error where there is no such folder any more
 */
export function watchSuite(
  path: string,
  options: SuiteOptions,
  onRun: (result: SuiteResult | { readonly error: Error }) => void,
): Watching {
  const dir = resolve(path)
  const watchers = new Map<string, FSWatcher>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let result: SuiteResult | undefined
  let seen: Stamps = new Map()
  let closed = false
  let running = Promise.resolve()

  const soon = (): void => {
    if (closed) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      running = running.then(look)
    }, QUIET_MS)
  }

  const look = async (): Promise<void> => {
    const before = stampsOf(dir, result)
    if (closed || same(before, seen)) return
    try {
      result = await runSuite(dir, options)
      onRun(result)
    } catch (cause) {
      onRun({ error: cause as Error })
    }
    if (closed) return
    watchFolders()
    // A text that was saved while the run read it is a change; what hooks wrote to files that they name is none.
    const after = stampsOf(dir, result)
    seen = new Map([...after, ...[...before].filter(([file]) => !result?.programs.includes(file))])
    if (!same(after, seen)) soon()
  }

  const watchFolders = (): void => {
    const wanted = new Set([dir, ...[...stampsOf(dir, result).keys()].map((file) => dirname(file))])
    for (const [folder, watcher] of watchers) {
      if (wanted.has(folder)) continue
      watcher.close()
      watchers.delete(folder)
    }
    for (const folder of wanted) {
      if (watchers.has(folder) || !statSync(folder, { throwIfNoEntry: false })?.isDirectory()) continue
      const watcher = watch(folder, soon)
      // A folder that goes away is news like any other.
      watcher.on("error", soon)
      watchers.set(folder, watcher)
    }
  }

  running = running.then(look)
  return {
    async close() {
      closed = true
      clearTimeout(timer)
      for (const watcher of watchers.values()) watcher.close()
      await running
    },
  }
}

type Stamps = ReadonlyMap<string, string>

/** How each file that counts stands now. */
function stampsOf(dir: string, result: SuiteResult | undefined): Stamps {
  const files = new Set([...(result?.files ?? []), ...(result?.programs ?? [])])
  try {
    const found = findCases(dir)
    const names = [...found.cases, ...found.orphans.map((name) => name.replace(/\.golden\.ndjson$/, ""))]
    for (const name of names) for (const file of [caseFile, goldenFile]) files.add(file(found.dir, name))
  } catch {
    // The folder is gone, and the run will say so.
  }
  return new Map([...files].map((file) => [file, stampOf(file)]))
}

function stampOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false })
  return stat ? `${stat.ino}:${stat.size}:${stat.mtimeMs}` : "absent"
}

const same = (a: Stamps, b: Stamps): boolean =>
  a.size === b.size && [...a].every(([file, stamp]) => b.get(file) === stamp)
