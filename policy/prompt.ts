import { z } from "zod"
import type { JsonObject } from "../effects/json.ts"
import { LIBRARY_NAMES } from "./library.ts"
import { PROVIDER_NAMES } from "./providers.ts"

/** What may be used before a hook that asks a model is out of budget. Absent: no limit. */
export interface Allowance {
  readonly calls?: number
  /** input and output together */
  readonly tokens?: number
  /** US dollars */
  readonly cost?: number
}

/** Counted for each caller. */
export interface Budget {
  /** one operation with all that it causes; on the command line, one command */
  readonly run?: Allowance
  /** one day of UTC, kept on disk */
  readonly day?: Allowance
}

/** A question and the answer that is wanted, shown to the model before the real one. */
export interface PromptExample {
  readonly event: JsonObject
  readonly output: JsonObject
}

/** A text, or the file that holds it. */
export type PartialText = string | { readonly file: string }

/** How a model is asked: in a prompt's front matter, in a hook's `prompt`, or, the last four apart, in `model`. */
export interface ModelOptions {
  readonly provider?: string
  readonly model?: string
  readonly baseUrl?: string
  /** the name of the variable that holds the key; the key itself stands nowhere */
  readonly apiKeyEnv?: string
  /** 0 to 2; the provider's own where absent */
  readonly temperature?: number
  /** of the answer */
  readonly maxTokens?: number
  readonly seed?: number
  /** whether the answer is read as it is written */
  readonly stream?: boolean
  /** milliseconds for which the same request has the same answer; 0: none */
  readonly cacheMs?: number
  readonly budget?: Budget
  readonly system?: string
  readonly partials?: Readonly<Record<string, PartialText>>
  readonly examples?: readonly PromptExample[]
}

/** `prompt` as a policy holds it: a text, or an object with one of `text`, `file` and `library`. */
export interface PromptText extends ModelOptions {
  readonly text?: string
  readonly file?: string
  readonly library?: string
}

const text = (what: string) => z.string({ error: `must be ${what}` }).regex(/\S/, { error: "must not be empty" })
const count = () => z.int({ error: "must be a whole number" }).positive({ error: "must be above 0" })
const number = () => z.number({ error: "must be a number" })
const object = (what: string) => z.record(z.string(), z.unknown(), { error: `must be ${what}` })

/** How the keys of well-known services begin: some of these would pass for a variable's name. */
const KEY_PREFIX = /^(?:sk|pk|rk|gsk|xai|hf|gh[opsu]|github_pat|glpat|xox[abp]|AKIA|ASIA|AIza)[-_A-Za-z0-9]{12,}$/

/** Whether a text can be the name of a variable, and is not a key that someone pasted there. */
function isVariableName(name: string): boolean {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return false
  const hasLongWord = name.split("_").some((word) => word.length >= 20 && /\d/.test(word))
  return !hasLongWord && !(KEY_PREFIX.test(name) && /\d/.test(name))
}

const allowance = z.strictObject(
  { calls: count().optional(), tokens: count().optional(), cost: number().positive().optional() },
  { error: "must be an object of calls, tokens and cost" },
)

export const budgetSchema = z.strictObject(
  { run: allowance.optional(), day: allowance.optional() },
  { error: "must be an object of `run` and `day`" },
)

/** US dollars for a million tokens, by the model's name. */
export interface Price {
  readonly input: number
  readonly output: number
}

const dollars = () => number().nonnegative({ error: "must not be below 0" })

export const pricesSchema = z.record(
  z.string(),
  z.strictObject({ input: dollars(), output: dollars() }, { error: "must be {input, output}" }),
  { error: "must be an object of {input, output} by model, in US dollars for a million tokens" },
)

/** What `model` holds: how prompts are asked that say nothing else. */
export interface ModelSettings extends Omit<ModelOptions, "model" | "system" | "partials" | "examples"> {
  readonly name?: string
  /** requests at once; 8 where absent */
  readonly concurrency?: number
  readonly prices?: Readonly<Record<string, Price>>
}

const partial = z.union([text("a text"), z.strictObject({ file: text("a file's path") })], {
  error: "must be a text, or {file}",
})

const example = z.strictObject(
  { event: object("an event"), output: object("an output") },
  { error: "must be {event, output}" },
)

/** The shapes of what is said of a model, by the name that `model` and a prompt share. */
export const MODEL_SHAPES = Object.freeze({
  provider: z.enum(PROVIDER_NAMES as [string, ...string[]], { error: `must be one of ${PROVIDER_NAMES.join(", ")}` }),
  baseUrl: text("a URL").regex(/^https?:\/\/[^\s@?#/]+(?:\/[^\s@?#]*)?$/, {
    error: "must be an http or https URL, without a user's name and without a query",
  }),
  apiKeyEnv: z.string({ error: "must be a variable's name" }).refine(isVariableName, {
    error: "must be the name of a variable: a key itself is never written down",
  }),
  temperature: number().min(0, { error: "must be at least 0" }).max(2, { error: "must be at most 2" }),
  maxTokens: count(),
  seed: z.int({ error: "must be a whole number" }),
  stream: z.boolean({ error: "must be true or false" }),
  cacheMs: z.int({ error: "must be a whole number of milliseconds" }).nonnegative({ error: "must not be below 0" }),
  budget: budgetSchema,
} as const)

const optional = Object.fromEntries(
  Object.entries(MODEL_SHAPES).map(([key, shape]) => [key, (shape as z.ZodType).optional()]),
)

/** What a prompt file's front matter holds. */
export const frontMatterSchema = z.strictObject(
  {
    description: z.string({ error: "must be a text" }).optional(),
    model: text("a model's name").optional(),
    ...optional,
    system: text("a text").optional(),
    partials: z.record(z.string(), partial, { error: "must be an object of texts by name" }).optional(),
    examples: z.array(example, { error: "must be a list of {event, output}" }).optional(),
  },
  { error: "must be an object" },
)

const { description: _, ...options } = frontMatterSchema.shape

export const promptObjectSchema = z.strictObject({
  text: text("a text").optional(),
  file: text("a file's path").optional(),
  library: z.enum(LIBRARY_NAMES as [string, ...string[]]).optional(),
  ...options,
})

const SAID = "must be a text, or an object with `text`, `file` or `library`"

export const promptSchema = z.union([text("a text"), promptObjectSchema], { error: SAID })

/** One of the three says what is asked. */
export const PROMPT_SOURCES = Object.freeze(["text", "file", "library"] as const)
