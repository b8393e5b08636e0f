import { z } from "zod"
import { outputSchema } from "../../effects/schema.ts"
import { caseJsonSchema } from "../../golden/schema.ts"
import { evalJsonSchema } from "../../govern/eval/set.ts"
import { eventJsonSchema } from "../../policy/events.ts"
import { POINT_NAMES } from "../../policy/points.ts"
import { manifestJsonSchema, policyJsonSchema } from "../../policy/schema.ts"

type Schema = Readonly<Record<string, unknown>>

/** The phases whose hooks have outputs that anybody reads, each with keys of its own. */
const OUTPUT_PHASES = ["before", "prefix", "onSuccess", "onError", "suffix"] as const

const output = (phase: string): Schema => ({
  ...z.toJSONSchema(outputSchema(phase)),
  title: `The output of a hook in ${phase}`,
})

const SOURCES: Readonly<Record<string, () => Schema>> = {
  policy: policyJsonSchema,
  manifest: manifestJsonSchema,
  case: caseJsonSchema,
  eval: evalJsonSchema,
  ...Object.fromEntries(OUTPUT_PHASES.map((phase) => [`output.${phase}`, () => output(phase)])),
  ...Object.fromEntries(POINT_NAMES.map((point) => [`event.${point}`, () => eventJsonSchema(point)])),
}

/** Every published JSON Schema by its file's name. The `$id` names it and points nowhere. */
export const schemas = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(SOURCES).map(([name, make]) => {
      const { $schema, ...rest } = make()
      return [`${name}.json`, `${JSON.stringify({ $schema, $id: `urn:detent:schema:${name}`, ...rest }, null, 2)}\n`]
    }),
  )
