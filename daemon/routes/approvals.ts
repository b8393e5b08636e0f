import type { ApprovalFault, ApprovalState } from "../../store/ports.ts"
import type { AnswerBody } from "../answer-body.ts"
import { type Asked, json } from "../asked.ts"
import { answererOf } from "../callers.ts"
import type { Daemon } from "../daemon.ts"
import { Problem, type ProblemCode } from "../problem.ts"

const STATES: readonly ApprovalState[] = Object.freeze(["open", "answered", "redeemed", "expired", "withdrawn"])

/** The questions that wait, or all that are in another state. */
export async function approvals({ query }: Asked, daemon: Daemon): Promise<Response> {
  const asked = query.get("state") ?? "open"
  const state = STATES.find((name) => name === asked)
  if (state === undefined && asked !== "all") {
    throw new Problem("bad-request", `unknown state \`${asked}\``, { hint: `they are ${STATES.join(", ")}, all` })
  }
  return json({ approvals: await daemon.approvals.store.list(state === undefined ? {} : { state }) })
}

const STATUS: Readonly<Partial<Record<ApprovalFault, ProblemCode>>> = Object.freeze({
  unknown: "not-found",
  own: "own-question",
  answer: "bad-request",
})

/** Answers a question of somebody else's. */
export async function answerApproval({ caller, params, body }: Asked<AnswerBody>, daemon: Daemon): Promise<Response> {
  const { answer, answers } = body
  if ((answer === undefined) === (answers === undefined)) {
    throw new Problem("bad-request", "the body needs one of `answer` and `answers`")
  }
  const id = params.id ?? ""
  const by = answererOf(caller)
  const result = await daemon.approvals.store.answer(id, answers ?? [answer!], by)
  if (!result.ok) throw new Problem(STATUS[result.fault] ?? "conflict", result.message, { approval: id })
  daemon.approvals.answered(id, result.approval.answers ?? [], by)
  return json(result.approval)
}
