import { z } from "zod"
import type { JsonObject } from "../../effects/json.ts"
import { OperationError } from "../../engine/errors.ts"
import { SOURCE_PHASES } from "../../policy/policy.ts"

const text = z.string({ error: "must be a text" })
const lines = z.union([text, z.array(text)], { error: "must be a text or a list of texts" }).optional()

/** What one run of a script may bring along besides its code, on every surface. */
export const BROUGHT = Object.freeze({
  script: z
    .strictObject(Object.fromEntries(SOURCE_PHASES.map((phase) => [phase, lines])))
    .optional()
    .describe("the caller's own lines inside the script, after those of the policy"),
  hooks: z
    .array(z.record(z.string(), z.unknown(), { error: "must be an object, one hook" }), { error: "must be a list" })
    .optional()
    .describe("hooks on `script` for this run, after all others"),
})

const shape = z.strictObject({
  code: text.describe("the function's body"),
  args: z.array(z.unknown(), { error: "must be a list" }).optional().describe("the script's arguments"),
  ...BROUGHT,
})

export type ExecArguments = z.infer<typeof shape>

/** What `detent_exec` takes, as its listing says it. */
export function execInputSchema(): JsonObject {
  const { $schema: _, ...schema } = z.toJSONSchema(shape)
  return schema
}

/** As MCP says it: the request's parameters are none. */
export const invalid = (message: string): OperationError =>
  new OperationError({ code: "protocol", message, data: { code: -32602 } })

/** @throws OperationError that says all that is wrong with them */
export function readExecArguments(given: JsonObject): ExecArguments {
  const read = shape.safeParse(given)
  if (read.success) return read.data
  throw invalid(
    read.error.issues
      .map((issue) =>
        issue.code === "unrecognized_keys"
          ? `unknown: ${issue.keys.map((key) => `\`${[...issue.path, key].join(".")}\``).join(", ")}`
          : `\`${issue.path.join(".")}\` ${issue.message}`,
      )
      .join("; "),
  )
}
