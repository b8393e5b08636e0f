import { resolve } from "node:path"
import type { ActionRunner, ActionRunners } from "../engine/ports.ts"
import { lazyPrompt } from "./lazy-prompt.ts"
import { createModule } from "./module/module.ts"
import type { ActionOptions } from "./options.ts"
import { plugin } from "./plugin.ts"
import type { PromptRunner } from "./prompt/prompt.ts"
import { createRun, type RunRunner } from "./run/run.ts"
import { createWorkflow } from "./workflow/workflow.ts"

/** The actions that touch the world. */
export interface Actions extends ActionRunners {
  readonly run: RunRunner
  readonly module: ActionRunner<"module">
  readonly workflow: ActionRunner<"workflow">
  readonly prompt: PromptRunner
  readonly plugin: ActionRunner<"plugin">
  /** ends every child and thread, and resolves when they are gone */
  close(): Promise<void>
}

/** The runners of all that leaves the process. */
export function createActions(options: ActionOptions): Actions {
  const { rule, spawnerAbove, env } = options
  const cwd = resolve(options.cwd ?? ".")
  const run = createRun(spawnerAbove === undefined ? { cwd, env } : { cwd, env, spawnerAbove })
  const module = createModule({ cwd, env })
  const actions: Actions = {
    run,
    module,
    workflow: createWorkflow(() => (rule ? { ...actions, rule } : actions)),
    prompt: lazyPrompt({ ...options, cwd }),
    plugin,
    async close() {
      await Promise.all([run.close(), module.close()])
    },
  }
  return actions
}
