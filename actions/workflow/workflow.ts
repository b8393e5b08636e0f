import type { JsonObject } from "../../effects/json.ts"
import type { ActionContext, ActionResult, ActionRunner, ActionRunners } from "../../engine/ports.ts"
import { failed } from "../../frames/failures.ts"
import { compileTest } from "../../policy/logic/compile.ts"
import type { Action, WorkflowStep } from "../../policy/policy.ts"
import { StepContext } from "./context.ts"
import { Gathered } from "./gathered.ts"

/** Steps that one run may take, loops included. */
const STEP_LIMIT = 100

type Workflow = Extract<Action, { kind: "workflow" }>
type Edges = readonly { readonly id: string; holds(data: unknown): boolean }[]

/**
 * Runs the steps of a workflow in turn, from its `entry`, along the first edge whose `if` holds over
 * `{event, steps: {<id>: {output}}}`; where none does, the last step's output is the workflow's.
 *
 * A step sees the event with the same `steps` beside its own members. A step that fails ends the workflow with its failure. All
 * steps share the hook's time; a step's own `timeoutMs` can only shorten it.
 *
 * @param runners read at each step, so that it may hold the workflow's own runner
 */
export function createWorkflow(runners: () => ActionRunners): ActionRunner<"workflow"> {
  const compiled = new WeakMap<WorkflowStep, Edges>()

  const edgesOf = (step: WorkflowStep): Edges => {
    let edges = compiled.get(step)
    if (!edges) {
      edges = (step.next ?? []).map((edge) => ({
        id: edge.id,
        holds: edge.if === undefined ? () => true : compileTest(edge.if),
      }))
      compiled.set(step, edges)
    }
    return edges
  }

  return {
    async run(action, event, context) {
      const gathered = new Gathered()
      return gathered.with(await walk(action, event, context, gathered))
    },
  }

  async function walk(
    action: Workflow,
    event: JsonObject,
    context: ActionContext,
    gathered: Gathered,
  ): Promise<ActionResult> {
    const end = performance.now() + context.timeoutMs
    const steps: Record<string, { readonly output: unknown }> = {}
    let id = action.entry
    for (let taken = 0; taken < STEP_LIMIT; taken++) {
      const step = Object.hasOwn(action.steps, id) ? action.steps[id] : undefined
      if (!step) return { failed: failed("bad-output", { detail: `the workflow has no step \`${id}\`` }) }
      const left = end - performance.now()
      if (left <= 0 || (taken > 0 && context.signal.aborted)) return { failed: failed("timeout") }
      const time = Math.min(left, step.timeoutMs ?? left)
      const result = await runStep(step.action, { ...event, steps: { ...steps } }, context, time)
      gathered.add(result)
      if (!("output" in result)) return result
      steps[id] = { output: result.output ?? null }
      const next = follow(step, id, { event, steps })
      if (typeof next === "object") return next
      if (next === undefined) return { output: result.output }
      id = next
    }
    return { failed: failed("bad-output", { detail: `the workflow took more than ${STEP_LIMIT} steps` }) }
  }

  /** The next step's id, undefined at the end, or the failure of a condition. */
  function follow(step: WorkflowStep, id: string, data: JsonObject): string | undefined | ActionResult {
    try {
      return edgesOf(step).find((edge) => edge.holds(data))?.id
    } catch {
      return { failed: failed("condition", { detail: `after step \`${id}\`` }) }
    }
  }

  async function runStep<A extends Action>(
    action: A,
    event: JsonObject,
    context: ActionContext,
    timeoutMs: number,
  ): Promise<ActionResult> {
    const runner = runners()[action.kind] as ActionRunner | undefined
    if (!runner) return { failed: failed("unavailable", { detail: `\`${action.kind}\` steps` }) }
    const own = new StepContext(context, timeoutMs)
    try {
      return await runner.run(action, event, own)
    } finally {
      own.done()
    }
  }
}
