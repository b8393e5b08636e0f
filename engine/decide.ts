import type { JsonObject } from "../effects/json.ts"
import type { CeilingSource, Outcome, Verdict } from "../frames/frames.ts"
import type { Phase } from "../policy/phases.ts"
import { Moment } from "./moment.ts"
import type { Core, Operation } from "./operation.ts"
import { putQuestions } from "./questions.ts"
import { AFTER_REWRITE, recheck } from "./recheck.ts"

/** One whole moment: the hooks, the second look after a rewrite, the questions. */
export async function decide(
  core: Core,
  op: Operation,
  phase: Exclude<Phase, "observe">,
  event: JsonObject,
): Promise<Moment> {
  const moment = new Moment(core, op, phase, event)
  await moment.run()
  if (moment.version > 0 && phase === "before" && !moment.refusal) await recheck(moment, AFTER_REWRITE, true)
  if (moment.questions.length > 0) await putQuestions(moment)
  if (core.listened) core.publish(op, `${op.on}.decided`, { ...moment.event, outcome: outcomeOf(moment) })
  return moment
}

/** The first that applies. */
export function outcomeOf(moment: Moment): Outcome {
  if (moment.refusal) return "refuse"
  if (moment.retry) return "retry"
  if (moment.questions.length > 0) return "ask"
  return moment.answered ? "answer" : "continue"
}

/** The verdict of one moment, with the frames of its operation so far. */
export function verdictOf(moment: Moment): Verdict {
  const { event, refusal, op } = moment
  const retried = moment.retry && moment.retry !== true ? moment.retry.input : undefined
  const ceilings = ceilingsAtWork(op)
  return {
    outcome: outcomeOf(moment),
    input: retried ?? event.args,
    // INVARIANT: what was refused is withheld (fixtures/cases, a refusal in onSuccess withholds the result).
    ...(Object.hasOwn(event, "result") && !refusal ? { result: event.result } : {}),
    ...(Object.hasOwn(event, "error") ? { error: event.error as NonNullable<Verdict["error"]> } : {}),
    advice: moment.advice,
    proposals: moment.proposals,
    questions: moment.questions,
    ...(refusal ? { refusal } : {}),
    ...(ceilings.length > 0 ? { ceilings } : {}),
    frames: op.frames,
  }
}

/** Every ceiling that lowered a hook of this operation, once. */
export function ceilingsAtWork(op: Operation): readonly CeilingSource[] {
  const found = new Map<string, CeilingSource>()
  for (const frame of op.frames) {
    if (frame.type !== "hook" || !frame.ceilings) continue
    for (const source of frame.ceilings) found.set(`${source.by} ${source.id} ${source.origin}`, source)
  }
  return [...found.values()]
}
