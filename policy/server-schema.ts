import { z } from "zod"
import { argv, level, matcher, milliseconds, text, texts } from "./parts.ts"

const flag = z.boolean({ error: "must be true or false" })
const count = z.int({ error: "must be a whole number" }).positive({ error: "must be above 0" })

export const annotations = z.strictObject(
  {
    readOnlyHint: flag.optional(),
    destructiveHint: flag.optional(),
    idempotentHint: flag.optional(),
    openWorldHint: flag.optional(),
  },
  { error: "must be an object of hints" },
)

export const grant = z.strictObject(
  {
    max: level.optional().describe("the highest level that the manifest's hooks reach; default: advise"),
    on: matcher.optional().describe("the tools that they may be about; default: the server's own"),
  },
  { error: "must be an object with `max` and `on`" },
)

/** An MCP server, as a file declares it. */
export const server = z.strictObject(
  {
    command: argv.optional(),
    url: text("a URL")
      .regex(/^https?:\/\//, { error: "must be an http or https URL" })
      .optional(),
    headers: texts.optional(),
    env: texts.optional(),
    cwd: text("a folder").optional(),
    annotations: z
      .record(z.string(), annotations, { error: "must be an object of annotations by tool" })
      .optional()
      .describe(
        "what counts in place of the server's own annotations, by tool; alone, of the tools of an agent, or of a server that an agent reaches",
      ),
    startMs: milliseconds.optional().describe("milliseconds from its start to the end of the handshake"),
    timeoutMs: milliseconds.optional().describe("milliseconds of one request; progress starts them anew"),
    concurrency: count.optional().describe("requests at once; more wait their turn"),
    maxBytes: count.optional().describe("the longest message of the server's, in bytes"),
    manifest: text("a file's name").optional().describe("the file that declares the server's own hooks"),
    grant: grant.optional().describe("how far these hooks go"),
  },
  { error: "must be an object with `command` or `url`" },
)
