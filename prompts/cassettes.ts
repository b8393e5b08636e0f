import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parse, stringify } from "yaml"
import { z } from "zod"
import type { Level } from "../effects/levels.ts"
import { type ModelRequest, type Reply, requestKey, STOPS } from "./request.ts"
import { scrub } from "./scrub.ts"

/** One recorded answer of one model. */
export interface Take extends Reply {
  readonly provider: string
  readonly model: string
  /** milliseconds that the answer took when it was recorded */
  readonly durationMs: number
}

/** What a cassette file holds: one request, and every answer to it that was recorded. */
const cassetteSchema = z.strictObject({
  key: z.string(),
  hook: z.string(),
  level: z.string(),
  keys: z.array(z.string()),
  request: z.strictObject({
    system: z.string(),
    messages: z.array(z.strictObject({ role: z.enum(["user", "assistant"]), content: z.string() })),
  }),
  answers: z.array(
    z.strictObject({
      provider: z.string(),
      model: z.string(),
      text: z.string(),
      stop: z.enum(STOPS),
      inputTokens: z.number(),
      outputTokens: z.number(),
      durationMs: z.number(),
    }),
  ),
})

/** A cassette that is damaged: what is wrong with it. */
export class CassetteError extends Error {
  override readonly name = "CassetteError"
}

export interface Recording {
  readonly hook: string
  readonly request: ModelRequest
  readonly take: Take
  /** what may stand nowhere, besides what looks like a credential */
  readonly secrets: readonly string[]
}

/** The part of a key that stands in a file's name. */
const SHORT = 16

/** A folder of cassettes: one YAML file for each request, named after the hook and the request's hash. */
export class Cassettes {
  readonly folder: string
  /** the files that were played or recorded */
  readonly used = new Set<string>()

  constructor(folder: string) {
    this.folder = folder
  }

  /**
   * The recorded answers to a request, in the order of recording; undefined where it was never asked.
   *
   * @throws CassetteError on a file that cannot be read.
   */
  find(request: ModelRequest): readonly Take[] | undefined {
    const key = requestKey(request)
    const file = this.#fileOf(key)
    if (file === undefined) return undefined
    const cassette = this.#read(file)
    if (cassette.key !== key) return undefined
    this.used.add(file)
    return cassette.answers
  }

  /**
   * Adds an answer; with `afresh` it takes the place of those of the same model. A file that cannot be read is recorded anew.
   * Answers the file's name.
   */
  record({ hook, request, take, secrets }: Recording, afresh: boolean): string {
    const clean = (text: string): string => scrub(text, secrets)
    const key = requestKey(request)
    const before = this.#readable(request).filter(({ model }) => !afresh || model !== take.model)
    const { system, messages, schema, level } = request
    // One request has one file, also where two hooks make it.
    const file = this.#fileOf(key) ?? `${slug(hook)}.${key.slice(0, SHORT)}.yaml`
    const cassette = {
      key,
      hook,
      level: level satisfies Level,
      keys: Object.keys((schema?.properties ?? {}) as object),
      request: {
        system: clean(system),
        messages: messages.map(({ role, content }) => ({ role, content: clean(content) })),
      },
      answers: [...before, { ...take, text: clean(take.text) }],
    }
    mkdirSync(this.folder, { recursive: true })
    const path = join(this.folder, file)
    writeFileSync(`${path}.tmp`, stringify(cassette, { lineWidth: 0 }))
    renameSync(`${path}.tmp`, path)
    this.used.add(file)
    return file
  }

  /** The cassettes that nothing has asked for: their prompt, their event or their level has changed since. */
  unused(): string[] {
    return this.#names().filter((name) => !this.used.has(name))
  }

  #fileOf(key: string): string | undefined {
    return this.#names().find((name) => name.endsWith(`.${key.slice(0, SHORT)}.yaml`))
  }

  #readable(request: ModelRequest): readonly Take[] {
    try {
      return this.find(request) ?? []
    } catch (cause) {
      if (cause instanceof CassetteError) return []
      throw cause
    }
  }

  #names(): string[] {
    try {
      return readdirSync(this.folder)
        .filter((name) => name.endsWith(".yaml"))
        .sort()
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === "ENOENT") return []
      throw cause
    }
  }

  #read(file: string): z.infer<typeof cassetteSchema> {
    let value: unknown
    try {
      value = parse(readFileSync(join(this.folder, file), "utf8"), { prettyErrors: false })
    } catch {
      throw new CassetteError(`the cassette \`${file}\` is no YAML`)
    }
    const checked = cassetteSchema.safeParse(value)
    if (checked.success) return checked.data
    const { path, message } = checked.error.issues[0]!
    throw new CassetteError(`the cassette \`${file}\` is damaged: ${path.join(".") || "it"}: ${message}`)
  }
}

const slug = (hook: string): string => hook.replaceAll(/[^A-Za-z0-9-]+/g, "-").replace(/^-+|-+$/g, "") || "hook"
