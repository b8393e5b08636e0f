import { z } from "zod"

const text = (what: string) => z.string({ error: `must be ${what}` }).regex(/\S/, { error: "must not be empty" })
const params = z.record(z.string(), z.unknown(), { error: "must be an object of parameters" })

const edge = z.strictObject({
  id: text("a step's id"),
  params: params.optional(),
  execute_if: z
    .union([z.boolean(), text("a condition, true or false")], { error: "must be a condition, true or false" })
    .optional(),
})

const next = { next_steps: z.array(edge, { error: "must be a list of steps" }).nullish() }

const bash = z.strictObject({
  type: z.literal("bash"),
  command: text("a shell command"),
  input: z.string({ error: "must be a text" }).optional(),
  timeout_sec: z.number({ error: "must be a number of seconds" }).positive({ error: "must be above 0" }).optional(),
  ...next,
})
const agent = z.strictObject({
  type: z.literal("agent"),
  prompt: text("a text for the model"),
  json_output: z.boolean({ error: "must be true or false" }).optional(),
  ...next,
})
const tool = z.strictObject({
  type: z.literal("tool"),
  tool: text("a tool").regex(/^(mcp__.+__.+|[^/\s]+\/\S+)$/, { error: "must be `server/tool` or `mcp__server__tool`" }),
  arguments: params.optional(),
  ...next,
})
const branch = z.strictObject({ type: z.literal("if"), condition: text("a condition"), ...next })

/** The types of steps, each with what it needs. */
export const STEP_TYPES = Object.freeze({
  bash: "a shell command; its output is what it prints",
  agent: "a model's turn; its output is the answer, as an object where `json_output` is set",
  tool: "a tool of a server; its output is the result",
  if: "a condition; its output is true or false",
} as const)

const step = z.discriminatedUnion("type", [bash, agent, tool, branch], {
  error: `must be one of ${Object.keys(STEP_TYPES).join(", ")}`,
})

/** A workflow of vix, as `config/workflow.json` or a hook holds it. Every step that is named must be there. */
export const workflowSchema = z
  .strictObject(
    {
      name: z.string({ error: "must be a text" }).optional(),
      entry_point: z.strictObject({ id: text("the first step's id"), params: params.optional() }),
      steps: z.record(z.string(), step, { error: "must be an object of steps" }),
    },
    { error: "must be an object with `entry_point` and `steps`" },
  )
  .superRefine(({ entry_point, steps }, found) => {
    const known = (id: string, path: (string | number)[]) => {
      if (Object.hasOwn(steps, id)) return
      found.addIssue({ code: "custom", path, message: `names no step: \`${id}\`` })
    }
    known(entry_point.id, ["entry_point", "id"])
    for (const [id, { next_steps }] of Object.entries(steps)) {
      for (const [at, edge] of (next_steps ?? []).entries()) known(edge.id, ["steps", id, "next_steps", at, "id"])
    }
  })
export type VixWorkflow = z.infer<typeof workflowSchema>
