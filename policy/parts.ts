import { z } from "zod"
import { LEVEL_NAMES } from "../effects/levels.ts"

// The small shapes that the schemas of files are made of.

/** The longest time limit: what a timer of 31 bits can hold, in milliseconds. */
const MAX_TIMEOUT_MS = 2_147_483_647

export const text = (what: string) => z.string({ error: `must be ${what}` }).regex(/\S/, { error: "must not be empty" })
const list = <T extends z.ZodType>(item: T, what: string) =>
  z.array(item, { error: `must be ${what}` }).min(1, { error: "must not be an empty list" })

export const level = z.enum(LEVEL_NAMES as [string, ...string[]]).meta({ id: "level" })
const matcherText = text("a name, a glob, a /regex/ or a list of these")
export const matcher = z
  .union([matcherText, list(matcherText, "a list")], { error: "must be a name, a glob, a /regex/ or a list of these" })
  .meta({
    id: "matcher",
    description: "an exact name, a glob, a `/regex/` anchored to the whole field, or a list of these",
  })
export const milliseconds = z
  .int({ error: "must be a whole number of milliseconds" })
  .positive({ error: "must be above 0" })
  .max(MAX_TIMEOUT_MS, { error: `must be at most ${MAX_TIMEOUT_MS}` })
export const texts = z.record(z.string(), z.string({ error: "must be a text" }), {
  error: "must be an object of texts",
})
export const argv = z
  .tuple([text("the program's name")], z.string({ error: "must be a text" }), {
    error: 'must be a list of texts, the program first; for a shell write ["sh", "-c", "…"]',
  })
  .meta({ id: "argv", description: "a program and its arguments, never a shell string" })
