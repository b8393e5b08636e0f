import { z } from "zod"
import { milliseconds, text } from "./parts.ts"
import { MODEL_SHAPES, pricesSchema } from "./prompt.ts"
import { SETTINGS, type Setting, type SettingPath } from "./settings.ts"

/** `null` in a list stands for the list inherited from the layers below. */
export const spliced = <T extends z.ZodType>(item: T, what: string) =>
  z.array(item.nullable(), { error: `must be a list of ${what}` })

/** What `model` holds, by the name behind the dot. */
export const MODEL: Readonly<Record<string, z.ZodType>> = Object.freeze({
  ...MODEL_SHAPES,
  name: text("a model's name"),
  concurrency: z.int({ error: "must be a whole number" }).positive({ error: "must be above 0" }),
  prices: pricesSchema,
})

/** Plain settings whose values have to be more than of their kind. */
const OWN: Readonly<Record<string, z.ZodType>> = Object.freeze({
  ...Object.fromEntries(Object.entries(MODEL).map(([key, shape]) => [`model.${key}`, shape])),
  "serve.port": z
    .int({ error: "must be a port: a whole number" })
    .min(0, { error: "must be at least 0" })
    .max(65_535, { error: "must be at most 65535" }),
  "serve.origins": spliced(
    text("an origin").regex(/^https?:\/\/[^/\s,@]+$/, { error: "must be `https://host:port`, without a path" }),
    "origins",
  ),
  "approvals.timeoutMs": milliseconds,
  // An agent's hook runs in whatever folder the agent is in: a relative one would be many.
  "audit.folder": text("a folder").regex(/^~?\//, { error: "must be an absolute path, or begin with `~/`" }),
  "audit.redact": spliced(
    text("a path").regex(/^(?:input|sent|result|caller|refusal|error|frames)(?:\.[^.,\s]+)*$/, {
      error:
        "must be a path into a row, such as `input.password`: of input, sent, result, caller, refusal, error or frames",
    }),
    "paths",
  ),
  "audit.keepDays": z.number({ error: "must be a number" }).positive({ error: "must be above 0" }),
  "audit.keepRows": z.int({ error: "must be a whole number" }).positive({ error: "must be above 0" }),
})

/** The shape of a plain setting's value. */
export function plainShape(path: string, { kind, values = [] }: Setting): z.ZodType {
  const own = OWN[path]
  if (own) return own
  if (kind === "boolean") return z.boolean({ error: "must be true or false" })
  if (kind === "enum") return z.enum(values as [string, ...string[]], { error: `must be one of ${values.join(", ")}` })
  if (kind === "number") return z.number({ error: "must be a number" })
  return kind === "list" ? spliced(text("a text"), "texts") : text("a text")
}

/** Why a value is none of a plain setting's; undefined when it is. The value itself is not repeated: it may be a key. */
export function settingProblem(path: SettingPath, value: unknown): string | undefined {
  const checked = plainShape(path, SETTINGS[path]).safeParse(value)
  return checked.success ? undefined : checked.error.issues[0]!.message
}
