import { z } from "zod"
import type { JsonObject } from "../effects/json.ts"
import { LEVEL_NAMES } from "../effects/levels.ts"
import { FAILURES, type FailureKind } from "../frames/failures.ts"

const text = (what: string) => z.string({ error: `must be ${what}` }).regex(/\S/, { error: "must not be empty" })
const object = () => z.record(z.string(), z.unknown(), { error: "must be an object" })
const level = z.enum(LEVEL_NAMES as [string, ...string[]])

const settings = z.strictObject(
  { "autonomy.max": level.optional(), "hooks.autonomy": level.optional() },
  { error: "must be an object of settings" },
)

const host = z.union([text("an agent or a level"), z.strictObject({ name: text("a text"), max: level })], {
  error: "must be an agent, a level, or {name, max}",
})

const caller = z.union([text("an id"), z.looseObject({ id: text("a text") })], {
  error: "must be an id, or an object with one",
})

const error = z.union(
  [
    text("a text"),
    z.strictObject({ code: text("a text").optional(), message: text("a text"), data: z.unknown().optional() }),
  ],
  { error: "must be a text, or {code?, message, data?}" },
)

const operation = z.strictObject(
  { result: z.unknown().optional(), error: error.optional() },
  { error: "must be {result} or {error}" },
)

const failed = z.strictObject(
  {
    kind: z.enum(Object.keys(FAILURES) as [FailureKind, ...FailureKind[]]),
    exitCode: z.int({ error: "must be a whole number" }).optional(),
    signal: text("a signal's name").optional(),
  },
  { error: "must be {kind, exitCode?, signal?}" },
)

const output = z
  .looseObject({ failed: failed.optional() }, { error: "must be an output object, {failed: {kind}} or null" })
  .nullable()

const tool = z.strictObject({ inputSchema: object().optional() }, { error: "must be {inputSchema}" })

/** One golden case, as its file holds it. */
export const caseSchema = z
  .strictObject(
    {
      policy: z
        .union([text("a path or a policy"), object()], { error: "must be a path, or a policy" })
        .describe("a policy's path from this file's folder, or a policy: an object, or its text on several lines"),
      settings: settings.optional().describe("as start flags: they combine with the policy's by minimum"),
      caller: caller.optional().describe("who asks; the event's own caller, or `{id: local}`, when absent"),
      host: host.optional().describe("the agent in front of which this runs, or what it can carry"),
      event: object().describe("the moment that is fired; with an operation, `phase` is before or absent"),
      operation: operation.optional().describe("what the operation gives: then all that follows is run, too"),
      outputs: z
        .record(z.string(), output, { error: "must be an object of outputs by hook id" })
        .optional()
        .describe("what an action answers in this case, by hook id; rules always really run"),
      answers: z
        .record(z.string(), z.string({ error: "must be a text, such as `yes`" }), {
          error: "must be an object of answers by hook id",
        })
        .optional()
        .describe(
          "to questions, by hook id; absent: nobody can be asked; a question without its answer stays unanswered",
        ),
      cassettes: text("a folder")
        .optional()
        .describe("where prompts without an output find their recorded answers; default: `cassettes` beside this file"),
      tools: z
        .record(z.string().regex(/^[^/\s]+\/\S+$/, { error: "a tool is named `server/tool`" }), tool, {
          error: "must be an object of tools by `server/tool`",
        })
        .optional()
        .describe("what tools are known to take"),
    },
    { error: "must be an object with `policy` and `event`" },
  )
  .meta({ title: "Detent golden case" })

export type CaseText = z.infer<typeof caseSchema>

/** The known keys at each place of a case where a wrong one may be written; `*` is any name. */
export const CASE_KEYS: Readonly<Record<string, readonly string[]>> = Object.freeze({
  "": Object.keys(caseSchema.shape),
  settings: Object.keys(settings.shape),
  host: ["name", "max"],
  operation: Object.keys(operation.shape),
  "operation.error": ["code", "message", "data"],
  "outputs.*.failed": Object.keys(failed.shape),
  "tools.*": Object.keys(tool.shape),
})

/** The published JSON Schema of a case, draft 2020-12. */
export const caseJsonSchema = (): JsonObject => ({ ...z.toJSONSchema(caseSchema) })
