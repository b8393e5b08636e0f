import { type Stats, statSync } from "node:fs"
import { resolve } from "node:path"
import { copyJson, isObject } from "../../effects/json.ts"
import type { ActionResult, ActionRunner } from "../../engine/ports.ts"
import { failed } from "../../frames/failures.ts"
import { declared, type Environment, inherited } from "../run/environment.ts"
import { baseOf } from "../run/folder.ts"
import { createPool, type Pool } from "./pool.ts"
import type { ThreadEnd } from "./thread.ts"

export interface ModuleOptions {
  /** where relative folders start; absolute */
  readonly cwd: string
  /** the parent's environment: a module sees only the allow-list of it */
  readonly env: Environment
}

/** Runs the default export of a JavaScript or TypeScript module in a warm worker thread. */
export function createModule(options: ModuleOptions): ActionRunner<"module"> & { close(): Promise<void> } {
  const base = inherited(options.env)
  const pools = new Map<string, { readonly stamp: string; readonly pool: Pool }>()

  /** The threads for a file as it stands now: after a change on disk the old ones are let go. */
  const poolOf = (path: string, own: Record<string, string>, stamp: string): Pool => {
    const key = JSON.stringify([path, own])
    const known = pools.get(key)
    if (known?.stamp === stamp) return known.pool
    known?.pool.retire()
    const pool = createPool({ path, env: { ...base, ...own }, parent: options.env })
    pools.set(key, { stamp, pool })
    return pool
  }

  return {
    async run(action, event, { hook, timeoutMs, signal }) {
      const notes: string[] = []
      const noted = (result: ActionResult): ActionResult => (notes.length > 0 ? { ...result, notes } : result)
      if (signal.aborted) return { failed: failed("timeout") }
      const path = resolve(baseOf(hook, options.cwd), action.path)
      const stat = statOf(path)
      if (!stat?.isFile()) return { failed: failed("spawn", { detail: `\`${action.path}\` was not found` }) }
      const pool = poolOf(path, declared(hook, options.env, notes), `${stat.mtimeMs}:${stat.size}:${stat.ino}`)
      let end = await pool.run(event, timeoutMs, signal)
      // An event from a host's own code may hold what no thread can take: only its JSON crosses.
      if (end.how === "unsent") end = await pool.run(copyJson(event), timeoutMs, signal)
      return noted(resultOf(end, action.path))
    },
    async close() {
      const closing = [...pools.values()].map(({ pool }) => pool.close())
      pools.clear()
      await Promise.all(closing)
    },
  }
}

/** undefined also where no file can be: a part of the path is none, or may not be entered, or is too long. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch {
    return undefined
  }
}

/** What a thread's end means; nothing of what was thrown or printed is told. */
function resultOf(end: ThreadEnd, path: string): ActionResult {
  switch (end.how) {
    case "answered":
      if (end.output === undefined || isObject(end.output)) return { output: end.output }
      return { failed: failed("bad-output") }
    case "unfit":
      return { failed: failed("bad-output", { detail: "the answer is no plain JSON" }) }
    case "no-function":
      return { failed: failed("bad-output", { detail: `the default export of \`${path}\` is no function` }) }
    case "unloaded":
      return { failed: failed("throw", { detail: `\`${path}\` could not be loaded` }) }
    case "threw":
      return { failed: failed("throw") }
    case "memory":
      return { failed: failed("throw", { detail: "out of memory" }) }
    case "left":
      return { failed: failed("exit", { exitCode: end.code, detail: "the module ended its own thread" }) }
    case "timeout":
      return { failed: failed("timeout") }
    case "unsent":
      return { failed: failed("throw", { detail: "the event could not be copied" }) }
  }
}
