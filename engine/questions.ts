import type { Answer, AskedQuestion, HookFrame } from "../frames/frames.ts"
import type { CompiledHook } from "./compile.ts"
import { inOrder, redacted } from "./hook-frame.ts"
import type { Moment } from "./moment.ts"
import { tell } from "./operation.ts"
import type { OpenQuestion, Ports } from "./ports.ts"
import { AFTER_YES, recheck } from "./recheck.ts"

/** Stands for no answer: the question timed out, nobody was there, or the asking itself failed. */
export const NO_ANSWER = ""

/** Stands for answers that will come another time: the questions stay open, and whoever asked may come again. */
const OPEN = "open"

/**
 * Puts the questions of a moment to whoever answers here, once, on the final input. On yes the checks that may refuse
 * look again; a no, or no answer, refuses. Where nobody can be asked the questions stay open.
 */
export async function putQuestions(moment: Moment): Promise<void> {
  const { questions, askers } = moment
  const { ask } = moment.op
  if (questions.length === 0 || !ask || moment.refusal || moment.retry) return release(moment)
  const answers = await putTo(ask, moment, questions)
  if (answers === OPEN) return release(moment)
  const put = questions.map((question, at): Answered => ({ question, answer: answers[at] ?? NO_ANSWER }))
  release(moment, new Map(askers.map((by, at) => [by, put[at]!])))
  const against = put.find((one) => !goesOn(one))
  if (against) {
    moment.refusal = refusalOf(against)
    return
  }
  questions.length = 0
  askers.length = 0
  await recheck(moment, AFTER_YES, false)
  release(moment)
}

/** Tells that questions are open, and waits for their answers: none where the time is up or the operation is cancelled. */
export async function putTo(
  ask: NonNullable<Ports["ask"]>,
  { op, core, event }: Pick<Moment, "op" | "core" | "event">,
  questions: readonly AskedQuestion[],
): Promise<readonly Answer[] | typeof OPEN> {
  const approval = core.ports.id()
  tell(op, { type: "ask", approval, questions: [...questions] })
  const timeouts = questions.map(({ timeoutMs }) => timeoutMs).filter((ms) => ms !== undefined)
  const open = { approval, questions: [...questions], event, ...(op.signal ? { signal: op.signal } : {}) }
  return new Promise((resolve) => {
    const silent = () => resolve([])
    const deadline = timeouts.length > 0 ? core.wheel.add(Math.min(...timeouts), silent) : undefined
    op.signal?.addEventListener("abort", silent, { once: true })
    answered(ask, open)
      .then(resolve, silent)
      .finally(() => {
        deadline?.cancel()
        op.signal?.removeEventListener("abort", silent)
      })
  })
}

/** Whoever answers is a host's own code: what is no list of texts is no answer. */
async function answered(ask: NonNullable<Ports["ask"]>, open: OpenQuestion): Promise<readonly Answer[] | typeof OPEN> {
  const answers: unknown = await ask(open)
  if (answers === OPEN) return OPEN
  return Array.isArray(answers) ? answers.map((answer) => (typeof answer === "string" ? answer : NO_ANSWER)) : []
}

/** A question with what was answered; an empty answer is none. */
export interface Answered {
  readonly question: AskedQuestion
  readonly answer: Answer
}

/** Yes, or one of the choices that the question offers; anything else does not go on. */
export const goesOn = ({ question: { choices }, answer }: Answered): boolean =>
  choices ? choices.includes(answer) && answer !== "no" : answer === "yes"

export const refusalOf = ({ question: { hook, question }, answer }: Answered) =>
  answer === NO_ANSWER
    ? { hook, reason: `nobody answered: ${question}`, code: "unanswered" }
    : { hook, reason: `answered \`${answer}\`: ${question}`, code: "denied" }

/** Lets the held frames go, each question with its answer. */
function release(moment: Moment, answers?: ReadonlyMap<CompiledHook, Answered>): void {
  const { held, op } = moment
  moment.held = undefined
  for (const { by, frame } of held ?? []) tell(op, frame.ask ? withAnswer(moment, frame, answers?.get(by)) : frame)
}

/**
 * A question with its answer. One that a rewrite has replaced was never put, and got none. In onSuccess one that does
 * not go on withholds the result: its frame keeps the hash of it.
 */
function withAnswer(moment: Moment, frame: HookFrame, put: Answered | undefined): HookFrame {
  if (!put) return frame
  const asked = frame.ask!
  const told =
    put.answer && asked.question === put.question.question ? { ...frame, ask: { ...asked, answer: put.answer } } : frame
  if (moment.phase !== "onSuccess" || goesOn(put)) return told
  return inOrder({ ...told, original: redacted(moment.event.result, moment.core.ports.sha256) })
}
