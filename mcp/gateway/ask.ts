import type { JsonObject } from "../../effects/json.ts"
import { isObject } from "../../effects/json.ts"
import type { OpenQuestion, Ports } from "../../engine/ports.ts"
import type { Answer } from "../../frames/frames.ts"
import type { Leg } from "./leg.ts"

const YES_NO = ["yes", "no"]

/** The form that puts questions to the person at the client: one choice each. */
function formOf({ questions }: OpenQuestion): JsonObject {
  const fields = questions.map(({ question, choices }, at) => [
    `q${at + 1}`,
    { type: "string", title: question, enum: [...(choices ?? YES_NO)] },
  ])
  return {
    mode: "form",
    message: questions.map(({ hook, question }) => `${question} (asked by ${hook})`).join("\n"),
    requestedSchema: { type: "object", properties: Object.fromEntries(fields), required: fields.map(([name]) => name) },
  }
}

/**
 * Puts questions to the person behind a client, by elicitation; undefined where the client can show no form. A form that is
 * declined is a no to each question, and one that is closed is no answer.
 */
export function askThrough({ can, input }: Pick<Leg, "can" | "input">): Ports["ask"] {
  const { elicitation } = can
  // A client that says `elicitation: {}` shows forms, as the first revision of it had nothing else.
  if (!elicitation || (elicitation.url !== undefined && elicitation.form === undefined)) return undefined
  return async (open) => {
    const answer = await input({ method: "elicitation/create", params: formOf(open) })
    const content = isObject(answer.content) ? answer.content : {}
    return open.questions.map((_, at): Answer => {
      if (answer.action === "decline") return "no"
      const said = answer.action === "accept" ? content[`q${at + 1}`] : undefined
      return typeof said === "string" ? said : ""
    })
  }
}
