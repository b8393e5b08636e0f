import type { JsonObject } from "../effects/json.ts"
import type { CeilingSource, ErrorValue, Outcome, Verdict } from "../frames/frames.ts"
import type { Phase } from "../policy/phases.ts"
import { conduct } from "./conduct.ts"
import { gated, wantConsent } from "./consent.ts"
import { inputOf } from "./event.ts"
import { Moment } from "./moment.ts"
import type { Core, Operation } from "./operation.ts"
import { putQuestions } from "./questions.ts"
import { AFTER_REWRITE, recheck } from "./recheck.ts"

/**
 * One whole moment: the hooks, the second look after a rewrite, the questions.
 *
 * @returns a promise only where something has to be waited for.
 */
export function decide(
  core: Core,
  op: Operation,
  phase: Exclude<Phase, "observe">,
  event: JsonObject,
): Moment | Promise<Moment> {
  const moment = new Moment(core, op, phase, event)
  const running = conduct(moment)
  return running ? running.then(() => conclude(moment)) : conclude(moment)
}

function conclude(moment: Moment): Moment | Promise<Moment> {
  const looksAgain = moment.rewritten && moment.phase === "before" && !moment.refusal
  if (looksAgain || moment.questions.length > 0 || gated(moment))
    return secondThoughts(moment, looksAgain).then(() => concluded(moment))
  return concluded(moment)
}

async function secondThoughts(moment: Moment, looksAgain: boolean): Promise<void> {
  if (looksAgain) await recheck(moment, AFTER_REWRITE, true)
  if (gated(moment)) await wantConsent(moment)
  if (moment.questions.length > 0) await putQuestions(moment)
}

function concluded(moment: Moment): Moment {
  const { core, op, event } = moment
  if (core.listened) core.publish(op, `${op.on}.decided`, { ...event, outcome: outcomeOf(moment) })
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
  const { event, refusal, op, retry, advice, proposals, questions } = moment
  const verdict: { -readonly [K in keyof Verdict]?: Verdict[K] } = {
    outcome: outcomeOf(moment),
    input: retry && retry !== true ? retry.input : inputOf(event),
  }
  // INVARIANT: what was refused is withheld (fixtures/cases, a refusal in onSuccess withholds the result), and so is a
  // hook's answer while a question is open.
  const open = moment.phase === "before" && questions.length > 0
  if (!refusal && !open && "result" in event) verdict.result = event.result
  if ("error" in event) verdict.error = event.error as ErrorValue
  verdict.advice = advice
  verdict.proposals = proposals
  verdict.questions = questions
  if (refusal) verdict.refusal = refusal
  const ceilings = ceilingsAtWork(op)
  if (ceilings) verdict.ceilings = ceilings
  verdict.frames = op.frames
  return verdict as Verdict
}

/** Every ceiling that lowered a hook of this operation, once; undefined where none did. */
export function ceilingsAtWork(op: Operation): readonly CeilingSource[] | undefined {
  let found: Map<string, CeilingSource> | undefined
  for (const frame of op.frames) {
    if (frame.type !== "hook" || !frame.ceilings) continue
    found ??= new Map()
    for (const source of frame.ceilings) found.set(`${source.by} ${source.id} ${source.origin}`, source)
  }
  return found && [...found.values()]
}
