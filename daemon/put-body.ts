import { z } from "zod"
import { shaped } from "./body.ts"

/** The body of a PUT of one setting. */
export const putBody = shaped(
  z.strictObject({
    value: z
      .union([z.string(), z.number(), z.boolean(), z.array(z.string().nullable())], {
        error: "must be a text, a number, true or false, or a list of texts",
      })
      .describe("what the setting is to be; in a list, `null` stands for the list of the layers below"),
  }),
)

export type PutBody = ReturnType<(typeof putBody)["read"]>
