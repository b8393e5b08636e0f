import { isObject, type JsonObject, sameJson } from "../../effects/json.ts"
import type { Verdict } from "../../frames/frames.ts"
import { lossesOf } from "../notices.ts"
import type { Decision } from "./decision.ts"
import type { VixEventName } from "./events.ts"

/** A group's decision as a hook of ours says it. */
export function outputOf({ behavior, reason, input, context }: Decision, event: VixEventName): JsonObject {
  const advise = context === undefined ? {} : { advise: context }
  if (behavior === "deny") return { refuse: reason, ...advise }
  if (behavior === "modify")
    return { apply: { input: event === "UserPromptSubmit" ? input!.prompt : input }, ...advise }
  return advise
}

/** What vix is told, and what it cannot be told. */
export interface VixAnswer {
  readonly decision: Decision
  /** for a person: what was lost on the way, and why */
  readonly notices: readonly string[]
}

/**
 * A verdict as vix reads it. What vix cannot carry out is denied, never passed: a question that nobody can be asked, an answer in
 * the call's place.
 *
 * @param before the event as it was sent
 */
export function answerOf(event: VixEventName, before: JsonObject, verdict: Verdict): VixAnswer {
  const context = contextOf(verdict)
  const said = context === "" ? {} : { context }
  const reason = whyNot(verdict)
  const losses = lossesOf("vix", verdict)
  const notices = [...losses.notices, ...losses.lowered]
  if (reason !== undefined) return { decision: { behavior: "deny", reason, ...said }, notices }
  const input = rewritten(event, before, verdict.input)
  if (input) return { decision: { behavior: "modify", input, ...said }, notices }
  return { decision: { behavior: context === "" ? "allow" : "context", ...said }, notices }
}

function whyNot({ outcome, refusal, questions, result, frames }: Verdict): string | undefined {
  if (outcome === "refuse") return refusal?.reason ?? "refused"
  if (outcome === "ask") {
    return `${questions.map(({ question }) => question).join("\n")} (denied: vix can put no question here)`
  }
  if (outcome === "answer") return `nothing is sent: a hook has answered in its place: ${JSON.stringify(result)}`
  const meta = frames.some((frame) => frame.type === "hook" && frame.originalMeta !== undefined)
  return meta ? "a hook replaced the call's `_meta`, which vix cannot carry" : undefined
}

function rewritten(event: VixEventName, before: JsonObject, input: unknown): JsonObject | undefined {
  if (event === "UserPromptSubmit") {
    return typeof input === "string" && input !== before.prompt ? { prompt: input } : undefined
  }
  return event === "PreToolUse" && isObject(input) && !sameJson(input, before.args ?? {}) ? input : undefined
}

/** Advice, and proposals that nobody applied. */
const contextOf = ({ advice, proposals }: Verdict): string =>
  [
    ...advice.map(({ text }) => text),
    ...proposals.map(({ hook, ...proposal }) => `\`${hook}\` proposes: ${JSON.stringify(proposal)}`),
  ].join("\n")
