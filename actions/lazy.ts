import type { ActionRunner, ActionRunners } from "../engine/ports.ts"
import type { ActionKind } from "../policy/actions.ts"
import type { Actions } from "./index.ts"
import type { ActionOptions } from "./options.ts"

/** The kinds that the real actions run; a hook's own rule is the engine's business. */
const KINDS = Object.freeze(["run", "module", "prompt", "plugin", "workflow"] as const satisfies readonly ActionKind[])

/**
 * The actions that touch the world, read when the first of them runs: most policies are rules alone, and what starts
 * processes and threads takes longer to load than a decision takes.
 */
export function lazyActions(options: ActionOptions): ActionRunners {
  let loading: Promise<Actions> | undefined
  const load = (): Promise<Actions> =>
    (loading ??= import("./index.ts").then(({ createActions }) => createActions(options)))
  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => (closing ??= loading?.then((actions) => actions.close()))
  const runner = (kind: (typeof KINDS)[number]): ActionRunner => ({
    run: async (action, event, context) => ((await load())[kind] as ActionRunner).run(action, event, context),
    close,
  })
  return Object.fromEntries(KINDS.map((kind) => [kind, runner(kind)]))
}
