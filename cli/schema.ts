import { eventJsonSchema } from "../policy/events.ts"
import { nearest } from "../policy/nearest.ts"
import type { Call } from "./command.ts"
import { CommandError } from "./errors.ts"
import { document, formatOf } from "./format.ts"
import { pointOf } from "./points.ts"

/** What there is a schema of, and who makes it. */
const SCHEMAS = Object.freeze({
  policy: async () => (await import("../policy/schema.ts")).policyJsonSchema(),
  manifest: async () => (await import("../policy/schema.ts")).manifestJsonSchema(),
  case: async () => (await import("../golden/schema.ts")).caseJsonSchema(),
  eval: async () => (await import("../govern/eval/set.ts")).evalJsonSchema(),
  event: async (point: string | undefined) => {
    if (point === undefined) throw new CommandError("which point's event?", "detent schema event call")
    return eventJsonSchema(pointOf(point))
  },
} satisfies Record<string, (point: string | undefined) => Promise<unknown>>)

/** Prints one JSON Schema; a schema is one document in every format, on one line in NDJSON. */
export async function run(call: Call): Promise<number> {
  const [what = "", point] = call.args
  if (!isKnown(what)) {
    const near = nearest(what, Object.keys(SCHEMAS))
    const hint = near === undefined ? `known are ${Object.keys(SCHEMAS).join(", ")}` : `did you mean \`${near}\`?`
    throw new CommandError(`there is no schema of \`${what}\``, hint)
  }
  if (what !== "event" && point !== undefined) throw new CommandError(`schema ${what} does not take \`${point}\``)
  const schema = await SCHEMAS[what](point)
  call.io.out.line(formatOf(call) === "ndjson" ? JSON.stringify(schema) : document(schema))
  return 0
}

const isKnown = (what: string): what is keyof typeof SCHEMAS => Object.hasOwn(SCHEMAS, what)
