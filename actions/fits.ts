import type { JsonObject } from "../effects/json.ts"
import type { Ports } from "../engine/ports.ts"
import type { RegexEngine } from "../policy/match/regex.ts"

/** A tool as its server lists it: what is needed to check a rewritten input. */
export interface KnownTool {
  /** JSON Schema, of the draft that its `$schema` names; draft 2020-12 where it names none */
  readonly inputSchema?: JsonObject
}

type Check = (input: unknown) => boolean

/** The drafts that tools are described in, by what `$schema` says, and the checker that reads each. */
const DRAFTS = Object.freeze({
  "http://json-schema.org/draft-07/schema": async () => (await import("ajv/dist/ajv.js")).Ajv,
  "https://json-schema.org/draft/2019-09/schema": async () => (await import("ajv/dist/2019.js")).Ajv2019,
  "https://json-schema.org/draft/2020-12/schema": async () => (await import("ajv/dist/2020.js")).Ajv2020,
})

const LATEST = "https://json-schema.org/draft/2020-12/schema"

/** What cannot be checked does not fit: its server is not ours, and a tool must not run without what it requires. */
const nothingFits: Check = () => false

/**
 * Whether an input fits what its tool is known to take. A schema is compiled when a rewritten input first meets it; one that
 * cannot be read takes nothing.
 */
export async function fitsOf(tools: Readonly<Record<string, KnownTool>>): Promise<NonNullable<Ports["fits"]>> {
  const schemas = new Map<string, JsonObject>()
  for (const [name, { inputSchema }] of Object.entries(tools)) if (inputSchema) schemas.set(name, inputSchema)
  const compile = await compilerOf([...new Set([...schemas.values()].map(draftOf))])
  const checks = new Map<string, Check>()
  return (server, tool, input) => {
    const name = `${server}/${tool}`
    const schema = schemas.get(name)
    if (!schema) return undefined
    const check = checks.get(name) ?? compile(schema)
    checks.set(name, check)
    return check(input)
  }
}

const draftOf = ({ $schema }: JsonObject): string => (typeof $schema === "string" ? $schema.replace(/#$/, "") : LATEST)

async function compilerOf(drafts: readonly string[]): Promise<(schema: JsonObject) => Check> {
  const { re2 } = await import("../policy/match/re2.ts")
  const makers = new Map<string, { compile(schema: JsonObject): Check }>()
  for (const draft of drafts) {
    if (!Object.hasOwn(DRAFTS, draft)) continue
    const Checker = await DRAFTS[draft as keyof typeof DRAFTS]()
    // Two servers may give their schemas one `$id`; none is kept under it.
    makers.set(
      draft,
      new Checker({ strict: false, logger: false, addUsedSchema: false, code: { regExp: searcher(re2) } }),
    )
  }
  return (schema) => guarded(makers.get(draftOf(schema)), schema)
}

/** A schema that refers to itself without end is read, and then overflows: that is no fit either. */
function guarded(maker: { compile(schema: JsonObject): Check } | undefined, schema: JsonObject): Check {
  try {
    const check = maker?.compile(schema) ?? nothingFits
    return (input) => {
      try {
        return check(input)
      } catch {
        return false
      }
    }
  } catch {
    return nothingFits
  }
}

/**
 * A schema's patterns come from a server that nobody vouches for: they too take linear time. They match anywhere. The
 * checker tells them apart by their text.
 */
const searcher = (engine: RegexEngine) =>
  Object.assign(
    (source: string) => {
      const test = engine.compile(`.*(?-s:${source}).*`)
      return { test, toString: () => source }
    },
    { code: "searcher" },
  )
