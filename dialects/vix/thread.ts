import { z } from "zod"
import { isObject, parseJson } from "../../effects/json.ts"

const text = (what: string) => z.string({ error: `must be ${what}` })

const schema = z
  .strictObject({
    message: text("a text").optional(),
    message_file: text("a file's path").startsWith("/", { error: "must be an absolute path" }).optional(),
    cwd: text("an absolute path of a folder").startsWith("/", { error: "must be an absolute path" }),
    title: text("a text").optional(),
    unread: z.boolean({ error: "must be true or false" }).optional(),
  })
  .refine(({ message, message_file }) => (message === undefined) !== (message_file === undefined), {
    error: "exactly one of `message` and `message_file` is expected",
  })

/** What `thread create` is told. */
export interface ThreadSpec {
  readonly message?: string | undefined
  /** whose content is the message */
  readonly message_file?: string | undefined
  readonly cwd: string
  readonly title?: string | undefined
  readonly unread?: boolean | undefined
}

/** Reads what `thread create` is told, or says what is wrong with it. */
export function readThreadSpec(json: string): { readonly spec: ThreadSpec } | { readonly problems: readonly string[] } {
  let value: unknown
  try {
    value = parseJson(json)
  } catch {
    return { problems: ["it is no JSON"] }
  }
  if (!isObject(value)) return { problems: ["it must be one JSON object"] }
  const checked = schema.safeParse(value)
  if (checked.success) return { spec: checked.data }
  return { problems: checked.error.issues.map(told) }
}

function told(issue: z.core.$ZodIssue): string {
  if (issue.code === "unrecognized_keys") return `unknown ${issue.keys.map((key) => `\`${key}\``).join(", ")}`
  return issue.path.length === 0 ? issue.message : `\`${issue.path.join(".")}\` ${issue.message}`
}
