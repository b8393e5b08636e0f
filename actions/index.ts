import { resolve } from "node:path"
import type { ActionRunner, ActionRunners } from "../engine/ports.ts"
import { createModule } from "./module/module.ts"
import type { Environment } from "./run/environment.ts"
import { createRun, type RunRunner } from "./run/run.ts"
import { unavailable } from "./unavailable.ts"
import { createWorkflow } from "./workflow/workflow.ts"

export interface ActionOptions {
  /** where relative folders start; default: the process's working folder */
  readonly cwd?: string
  /** the environment that hooks get an allow-list of */
  readonly env: Environment
  /** runs the `rule` steps of workflows */
  readonly rule?: ActionRunner<"rule">
  /** bytes of this process's memory above which programs are started through a helper; default 128 MiB */
  readonly spawnerAbove?: number
}

/** The actions that touch the world. */
export interface Actions extends ActionRunners {
  readonly run: RunRunner
  readonly module: ActionRunner<"module">
  readonly workflow: ActionRunner<"workflow">
  readonly prompt: ActionRunner<"prompt">
  readonly plugin: ActionRunner<"plugin">
  /** ends every child and thread, and resolves when they are gone */
  close(): Promise<void>
}

/** The runners of `run`, `module` and `workflow`; `prompt` and `plugin` answer that they are unavailable. */
export function createActions(options: ActionOptions): Actions {
  const { rule, spawnerAbove, env } = options
  const cwd = resolve(options.cwd ?? ".")
  const run = createRun(spawnerAbove === undefined ? { cwd, env } : { cwd, env, spawnerAbove })
  const module = createModule({ cwd, env })
  const actions: Actions = {
    run,
    module,
    workflow: createWorkflow(() => (rule ? { ...actions, rule } : actions)),
    prompt: unavailable("prompt hooks are not supported yet"),
    plugin: unavailable("no MCP server can be reached from here"),
    async close() {
      await Promise.all([run.close(), module.close()])
    },
  }
  return actions
}
