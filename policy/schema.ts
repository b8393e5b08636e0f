import { z } from "zod"
import type { JsonObject } from "../effects/json.ts"
import { outputSchema } from "../effects/schema.ts"
import { FILE_ACTIONS } from "./actions.ts"
import { argv, level, matcher, milliseconds, text, texts } from "./parts.ts"
import { PHASE_NAMES } from "./phases.ts"
import { promptObjectSchema, promptSchema } from "./prompt.ts"
import { annotations, grant, server } from "./server-schema.ts"
import { MODEL, plainShape, spliced } from "./setting-shapes.ts"
import { SETTINGS, type Setting } from "./settings.ts"

const logic = z.unknown().meta({ id: "logic", description: "JSON Logic over the event" })

const when = z.strictObject(
  {
    server: matcher.optional(),
    tool: matcher.optional(),
    kind: matcher.optional(),
    session: matcher.optional(),
    uri: matcher.optional(),
    agent: matcher.optional(),
    source: matcher.optional(),
    args: z.record(z.string(), matcher, { error: "must be an object of path and matcher" }).optional(),
    if: logic.optional(),
  },
  { error: "must be an object of matchers" },
)

/** Rules are checked key by key against hook and phase (policy/check/rule.ts); the schema here is for editors. */
const rule = z
  .record(z.string(), z.unknown(), { error: "must be an object of output keys" })
  .meta({ id: "rule", description: "an output; any value may be computed as `{logic: …}`" })

const plugin = text("`server/tool`").regex(/^[^/\s]+\/\S+$/, { error: "must be `server/tool`" })

const stepActions = {
  rule: rule.optional(),
  run: argv.optional(),
  module: text("a module's path").optional(),
  prompt: promptSchema.optional(),
  plugin: plugin.optional(),
}
const STEP_ACTIONS = FILE_ACTIONS.filter((kind) => kind !== "workflow")
const exactlyOne = (names: readonly string[]) => ({ oneOf: names.map((name) => ({ required: [name] })) })

const edge = z.strictObject({ id: text("a step's id"), if: logic.optional() })
const step = z
  .strictObject({ ...stepActions, next: z.array(edge).optional(), timeoutMs: milliseconds.optional() })
  .meta(exactlyOne(STEP_ACTIONS))
const workflow = z.strictObject({
  entry: text("the first step's id"),
  steps: z.record(z.string(), step, { error: "must be an object of steps" }),
})

const hook = z
  .strictObject(
    {
      id: text("a text").optional(),
      on: text("a point, or in observe a prefix of an event kind"),
      phase: z.enum(PHASE_NAMES as [string, ...string[]]).optional(),
      when: when.optional(),
      ...stepActions,
      workflow: workflow.optional(),
      effect: level.optional(),
      floor: level.optional(),
      failure: z.enum(["open", "closed"]).optional(),
      timeoutMs: milliseconds.optional(),
      enabled: z.boolean({ error: "must be true or false" }).optional(),
      description: z.string({ error: "must be a text" }).optional(),
      cwd: text("a folder").optional(),
      env: texts.optional(),
      recheck: z.boolean({ error: "must be true or false" }).optional(),
      redact: z.boolean({ error: "must be true or false" }).optional(),
      may: z
        .array(text("`retry`, a tool, a program or a module"), {
          error: "must be a list: `retry`, tools, programs, modules",
        })
        .optional(),
    },
    { error: "must be an object, one hook" },
  )
  .meta({ id: "hook", ...exactlyOne(FILE_ACTIONS) })

const ceiling = z.strictObject(
  { id: text("a text").optional(), if: logic.optional(), max: level, reason: text("a text").optional() },
  { error: "must be an object, one ceiling" },
)

const lineFile = z.strictObject({ file: text("a file's name") })
const line = z.union([z.string(), lineFile], { error: "must be a text or `{file: …}`" })
const lines = z.union([z.string(), lineFile, z.array(line.nullable())], {
  error: "must be a text, `{file: …}`, or a list of these",
})

const MODEL_KEYS = Object.keys(SETTINGS).flatMap((path) => (path.startsWith("model.") ? [path.slice(6)] : []))

const STRUCTURED: Record<string, z.ZodType> = {
  hooks: spliced(hook, "hooks"),
  ceilings: spliced(ceiling, "ceilings"),
  servers: z.record(z.string().regex(/^[^/\s]+$/, { error: "a server's name holds no slash and no space" }), server, {
    error: "must be an object of servers by name",
  }),
  model: z.strictObject(Object.fromEntries(MODEL_KEYS.map((key) => [key, MODEL[key]!.optional()])), {
    error: "must be an object",
  }),
}

/** The shape of one setting's value, as a file writes it. */
function settingShape(path: string, row: Setting): z.ZodType {
  if (row.kind === "level") return level
  return row.kind === "lines" ? lines : (STRUCTURED[path] ?? plainShape(path, row))
}

const settingShapes = Object.fromEntries(
  Object.entries<Setting>(SETTINGS).map(([path, setting]) => [
    path,
    settingShape(path, setting).optional().describe(setting.doc),
  ]),
)

/** One policy file. It checks and changes nothing: defaults are filled in by policy/build.ts. */
export const policySchema = z.strictObject(
  { $schema: z.string().optional(), version: z.literal(1, { error: "must be 1" }).optional(), ...settingShapes },
  { error: "must be an object of settings" },
)

/** The manifest of a server: its hooks, each as in a policy. */
export const manifestSchema = z.strictObject(
  {
    $schema: z.string().optional(),
    version: z.literal(1, { error: "must be 1" }).optional(),
    hooks: z.array(hook, { error: "must be a list of hooks" }).describe("the hooks, in the order in which they run"),
  },
  { error: "must be an object with `hooks`" },
)

/** The known keys at each place of a file where a wrong one may be written, for "did you mean". */
export const KNOWN_KEYS = Object.freeze({
  top: Object.freeze(Object.keys(policySchema.shape)),
  hook: Object.freeze(Object.keys(hook.shape)),
  when: Object.freeze(Object.keys(when.shape)),
  ceiling: Object.freeze(Object.keys(ceiling.shape)),
  manifest: Object.freeze(Object.keys(manifestSchema.shape)),
  server: Object.freeze(Object.keys(server.shape)),
  grant: Object.freeze(Object.keys(grant.shape)),
  annotations: Object.freeze(Object.keys(annotations.shape)),
  model: Object.freeze(MODEL_KEYS),
  prompt: Object.freeze(Object.keys(promptObjectSchema.shape)),
  step: Object.freeze(Object.keys(step.shape)),
  workflow: Object.freeze(Object.keys(workflow.shape)),
  edge: Object.freeze(Object.keys(edge.shape)),
})

const computed = z.strictObject({ logic: z.unknown() })

/** A rule's schema for editors: any phase's output, where a computed value may stand for any other. */
function ruleJsonSchema(): JsonObject {
  const phases = ["before", "onSuccess", "onError"] as const
  const anyPhase = z.union(
    phases.map((phase) => outputSchema(phase, undefined, (schema) => z.union([schema, computed]))),
  )
  const { $schema: _, ...schema } = z.toJSONSchema(anyPhase)
  return schema
}

/** A file's schema, where a rule's own is one that editors can use. */
function fileJsonSchema(file: z.ZodType, title: string): JsonObject {
  const ruleSchema = ruleJsonSchema()
  const schema = z.toJSONSchema(file, {
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema !== rule) return
      delete jsonSchema.additionalProperties
      delete jsonSchema.propertyNames
      Object.assign(jsonSchema, ruleSchema)
    },
  })
  return { ...schema, title }
}

/** The published JSON Schema of a policy file, draft 2020-12. */
export const policyJsonSchema = (): JsonObject => fileJsonSchema(policySchema, "Detent policy")

/** The same of a manifest. */
export const manifestJsonSchema = (): JsonObject => fileJsonSchema(manifestSchema, "Detent manifest of a server")
