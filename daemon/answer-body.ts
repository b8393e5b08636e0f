import { z } from "zod"
import { shaped } from "./body.ts"

/** The body of an answer: one for each question, or one where only one was asked. */
export const answerBody = shaped(
  z.strictObject({
    answer: z.string().optional().describe("`yes`, `no`, or one of the choices"),
    answers: z.array(z.string()).optional().describe("one for each question, in order"),
  }),
)

export type AnswerBody = ReturnType<(typeof answerBody)["read"]>
