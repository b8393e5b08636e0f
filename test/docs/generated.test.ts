import { readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Ajv2020 } from "ajv/dist/2020.js"
import { describe, expect, it } from "vitest"
import { parse } from "yaml"
import { FOLDERS, files } from "../../docs/generate/files.ts"
import { KNOWN_KEYS } from "../../policy/schema.ts"

const ROOT = fileURLToPath(new URL("../..", import.meta.url))
const read = (path: string) => readFileSync(join(ROOT, path), "utf8")
const made = files()

const validator = (name: string) =>
  new Ajv2020({ strict: false }).compile(JSON.parse(made[`schemas/${name}.json`] ?? "{}"))

describe("what is made from the tables", () => {
  it.each(Object.keys(made))("is committed as it would be made now: %s (else: npm run docs)", (path) => {
    expect(read(path)).toBe(made[path])
  })

  it("is all that its folders hold", () => {
    const there = FOLDERS.flatMap((folder) => readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`))
    expect(there.sort()).toEqual(Object.keys(made).sort())
  })
})

describe("the schemas", () => {
  it("can be reached through the package's name", () => {
    const { resolve } = createRequire(import.meta.url)
    for (const path of Object.keys(made).filter((name) => name.startsWith("schemas/")))
      expect(resolve(`detent/${path}`)).toBe(join(ROOT, path))
  })

  it("each have a name of their own", () => {
    const ids = Object.entries(made).flatMap(([path, text]) =>
      path.startsWith("schemas/") ? [JSON.parse(text).$id] : [],
    )
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^urn:detent:schema:[a-zA-Z.]+$/)
  })

  it("take the policy of the quickstart, and find a mistyped key in it", () => {
    const validate = validator("policy")
    const policy = parse(read("examples/quickstart/detent.yaml"))
    expect(validate(policy), JSON.stringify(validate.errors)).toBe(true)
    expect(validate({ ...policy, hook: [] })).toBe(false)
    const [first, ...rest] = policy.hooks
    expect(validate({ ...policy, hooks: [{ ...first, efect: "ask" }, ...rest] })).toBe(false)
    expect(validate({ ...policy, hooks: [{ ...first, rule: { allow: true } }, ...rest] })).toBe(false)
  })

  it("take the quickstart's events, and find a field that no event has", () => {
    const validate = validator("event.call")
    for (const name of readdirSync(join(ROOT, "examples/quickstart/events"))) {
      const event = JSON.parse(read(`examples/quickstart/events/${name}`))
      expect(validate(event), name).toBe(true)
      expect(validate({ ...event, argz: {} })).toBe(false)
    }
  })

  it("of outputs take what a phase can carry, and nothing else", () => {
    expect(validator("output.before")({ apply: { input: { path: "a" } }, advise: "look" })).toBe(true)
    expect(validator("output.before")({ allow: true })).toBe(false)
    expect(validator("output.onSuccess")({ apply: { input: {} } })).toBe(false)
    expect(validator("output.onError")({ run: { retry: true } })).toBe(true)
  })
})

describe("the guides", () => {
  const guides = ["policy", "hooks"].map((name) => read(`docs/${name}.md`)).join("\n")

  it("name every key of a hook, of `when` and of a ceiling", () => {
    const keys = [...KNOWN_KEYS.hook, ...KNOWN_KEYS.when, ...KNOWN_KEYS.ceiling, ...KNOWN_KEYS.workflow]
    expect(keys.filter((key) => !guides.includes(`\`${key}\``))).toEqual([])
  })
})
