import { z } from "zod"
import { KEY_NAMES, type Key } from "./keys.ts"
import { APPLY_MEMBERS, CALL_TARGET, RUN_MEMBERS, SEVERITIES } from "./normalise.ts"
import { isJson, isPlain, isText } from "./plain.ts"

/** Stands around every value, so that a policy's rules may allow a computed one in its place. */
export type Wrap = (schema: z.ZodType) => z.ZodType

const asIs: Wrap = (schema) => schema

const json = z.unknown().refine(isJson, "must be a JSON value")
const object = z
  .unknown()
  .refine((value) => isPlain(value) && isJson(value), "must be an object")
  .meta({ type: "object" })
const input = z
  .unknown()
  .refine(
    (value) => (isPlain(value) || Array.isArray(value) || isText(value)) && isJson(value),
    "must be an object, a list or a text",
  )
  .meta({ type: ["object", "array", "string"], pattern: "\\S" })
const text = z.string().regex(/\S/, "must not be empty")

/** What each member of `apply` and `run` takes, whatever the phase. */
function members(wrap: Wrap) {
  const error = z
    .looseObject({ message: wrap(text), code: wrap(text).optional() })
    .refine((value) => isJson(value), "must be JSON")
  return {
    apply: { input: wrap(input), result: json, error: wrap(error), merge: wrap(object), target: wrap(object) },
    run: {
      retry: z.union([z.literal(true), z.strictObject({ input: wrap(input) })]),
      call: z.strictObject({ tool: wrap(z.string().regex(CALL_TARGET)), args: wrap(object).optional() }),
      argv: z.tuple([wrap(text)], wrap(z.string())),
      module: wrap(text),
    },
  }
}

/** The alternatives of one key: each names exactly one member. */
const oneOf = (alternatives: readonly z.ZodType[]): z.ZodType =>
  alternatives.length === 0 ? z.never() : z.union(alternatives as [z.ZodType, ...z.ZodType[]])

function valueShapes(phase: string, wrap: Wrap): Record<Key, z.ZodType> {
  const { apply, run } = members(wrap)
  const severity = wrap(z.enum(SEVERITIES)).optional()
  const advice = z.union([text, z.strictObject({ text: wrap(text), severity, data: json.optional() })])
  const milliseconds = z.int().positive()
  return {
    advise: z.union([advice, z.array(wrap(advice)).min(1)]),
    ask: z.union([
      text,
      z.strictObject({
        question: wrap(text),
        choices: wrap(z.array(wrap(text)).min(1)).optional(),
        timeoutMs: wrap(milliseconds).optional(),
      }),
    ]),
    refuse: z.union([text, z.strictObject({ reason: wrap(text), code: wrap(text).optional(), data: json.optional() })]),
    propose: z
      .strictObject({
        input: json.optional(),
        result: json.optional(),
        error: json.optional(),
        script: json.optional(),
        note: wrap(text).optional(),
      })
      .refine((value) => Object.keys(value).length > 0, "must propose something")
      .meta({ minProperties: 1 }),
    apply: oneOf(
      (APPLY_MEMBERS[phase] ?? []).map((name) =>
        z
          .strictObject({
            [name]: apply[name as keyof typeof apply],
            ...(name === "input" ? { meta: wrap(object).optional() } : {}),
          })
          .refine((value) => Object.hasOwn(value, name)),
      ),
    ),
    run: oneOf((RUN_MEMBERS[phase] ?? []).map((name) => z.strictObject({ [name]: run[name as keyof typeof run] }))),
  }
}

/** The schema of one key's value as a hook may write it; accepts exactly what `normalise` accepts. */
export const valueSchema = (key: Key, phase: string): z.ZodType =>
  z.unknown().refine(isJson, { error: "must be a JSON value", abort: true }).pipe(valueShapes(phase, asIs)[key])

/** The schema of a whole output in one phase, with the given keys only: for a model's structured answer. */
export function outputSchema(phase: string, keys: readonly Key[] = KEY_NAMES, wrap: Wrap = asIs): z.ZodType {
  const shapes = valueShapes(phase, wrap)
  return z.strictObject(Object.fromEntries(keys.map((key) => [key, wrap(shapes[key]).optional()])))
}
