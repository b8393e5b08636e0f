import { copyJson } from "../effects/json.ts"
import type { ActionResult, ActionRunner, ActionRunners } from "../engine/ports.ts"
import { failed } from "../frames/failures.ts"
import type { ActionKind } from "../policy/actions.ts"
import type { Action } from "../policy/policy.ts"
import type { Case, CaseOutput } from "./case.ts"

/** What cannot run for real in a case, and what to do instead. */
const NEEDS_OUTPUT: Readonly<Partial<Record<ActionKind, string>>> = Object.freeze({
  plugin: "it needs a server, and none is reached from a case",
})

/**
 * Puts a case's outputs in the place of its hooks' actions; a hook without an output runs for real.
 *
 * @param broken is told of a hook that can do neither
 */
export const answering =
  ({ outputs }: Pick<Case, "outputs">, broken: (why: string) => void) =>
  (real: ActionRunners): ActionRunners =>
    Object.fromEntries(
      Object.entries(real).map(([kind, runner]) => [kind, standIn(runner as ActionRunner, outputs, broken)]),
    )

function standIn(real: ActionRunner, outputs: Case["outputs"], broken: (why: string) => void): ActionRunner {
  return {
    async run(action, event, context) {
      const { hook } = context
      // What an output's `run` asked for is an action, too, but not the hook's own.
      if (action !== hook.action) return real.run(action, event, context)
      if (Object.hasOwn(outputs, hook.id)) return resultOf(outputs[hook.id]!)
      const need = needOf(action)
      if (need !== undefined) broken(`\`${hook.id}\` has no entry in \`outputs\`: ${need}`)
      return real.run(action, event, context)
    },
    ...(real.close ? { close: () => real.close!() } : {}),
  }
}

function needOf(action: Action): string | undefined {
  if (action.kind !== "workflow") return NEEDS_OUTPUT[action.kind]
  for (const step of Object.values(action.steps)) {
    const need = NEEDS_OUTPUT[step.action.kind]
    if (need !== undefined) return `its \`${step.action.kind}\` step cannot run here; ${need}`
  }
  return undefined
}

function resultOf(output: CaseOutput): ActionResult {
  if (output === null) return { output: undefined }
  const failure = "failed" in output ? (output.failed as Extract<CaseOutput, { failed: object }>["failed"]) : undefined
  if (failure === undefined) return { output: copyJson(output) }
  const { kind, ...more } = failure
  return { failed: failed(kind, more) }
}
