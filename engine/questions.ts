import type { Answer, AskedQuestion, HookFrame } from "../frames/frames.ts"
import { redacted } from "./hook-frame.ts"
import type { Moment } from "./moment.ts"
import { tell } from "./operation.ts"
import { AFTER_YES, recheck } from "./recheck.ts"

/** Stands for no answer: the question timed out, nobody was there, or the asking itself failed. */
const NO_ANSWER = ""

/**
 * Puts the questions of a moment to whoever answers here, once, on the final input. On yes the checks that may refuse
 * look again; a no, or no answer, refuses. Where nobody can be asked the questions stay open.
 */
export async function putQuestions(moment: Moment): Promise<void> {
  const { questions } = moment
  const { ask } = moment.core.ports
  if (questions.length === 0 || !ask || moment.refusal || moment.retry) return release(moment)
  const approval = moment.core.ports.id()
  tell(moment.op, { type: "ask", approval, questions: [...questions] })
  const answers = await answersTo(moment, approval)
  const put = questions.map((asked, index) => ({ asked, answer: answers[index] ?? NO_ANSWER }))
  release(moment, new Map(put.map((one) => [one.asked.hook, one])))
  const against = put.findIndex(({ asked, answer }) => !goesOn(asked, answer))
  if (against >= 0) {
    moment.refusal = refusalOf(questions[against]!, answers[against] ?? NO_ANSWER)
    return
  }
  questions.length = 0
  await recheck(moment, AFTER_YES, false)
  release(moment)
}

async function answersTo(moment: Moment, approval: string): Promise<readonly Answer[]> {
  const { op, core, questions, event } = moment
  const timeouts = questions.map(({ timeoutMs }) => timeoutMs).filter((ms) => ms !== undefined)
  const open = { approval, questions: [...questions], event, ...(op.signal ? { signal: op.signal } : {}) }
  return new Promise((resolve) => {
    const silent = () => resolve([])
    const deadline = timeouts.length > 0 ? core.wheel.add(Math.min(...timeouts), silent) : undefined
    op.signal?.addEventListener("abort", silent, { once: true })
    core.ports.ask!(open)
      .then(resolve, silent)
      .finally(() => {
        deadline?.cancel()
        op.signal?.removeEventListener("abort", silent)
      })
  })
}

/** Yes, or one of the choices that the question offers; anything else does not go on. */
const goesOn = ({ choices }: AskedQuestion, answer: Answer): boolean =>
  choices ? choices.includes(answer) && answer !== "no" : answer === "yes"

const refusalOf = ({ hook, question }: AskedQuestion, answer: Answer) =>
  answer === NO_ANSWER
    ? { hook, reason: `nobody answered: ${question}`, code: "unanswered" }
    : { hook, reason: `answered \`${answer}\`: ${question}`, code: "denied" }

interface Answered {
  readonly asked: AskedQuestion
  readonly answer: Answer
}

/** Lets the held frames go, each question with its answer. */
function release(moment: Moment, answers?: ReadonlyMap<string, Answered>): void {
  const { held, op } = moment
  moment.held = undefined
  for (const frame of held ?? []) tell(op, withheld(moment, answered(frame, answers?.get(frame.hook)), answers))
}

/** In onSuccess a question that does not go on withholds the result: its frame keeps the hash of it. */
function withheld(moment: Moment, frame: HookFrame, answers: ReadonlyMap<string, Answered> | undefined): HookFrame {
  const put = answers?.get(frame.hook)
  if (moment.phase !== "onSuccess" || !frame.ask || !put || goesOn(put.asked, put.answer)) return frame
  return { ...frame, original: redacted(moment.event.result, moment.core.ports.sha256) }
}

/** A question that a rewrite has replaced was never put, and got no answer. */
function answered(frame: HookFrame, put: Answered | undefined): HookFrame {
  if (!frame.ask || !put?.answer || frame.ask.question !== put.asked.question) return frame
  return { ...frame, ask: { ...frame.ask, answer: put.answer } }
}
