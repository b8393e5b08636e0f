import { describe, expect, it } from "vitest"
import { fitsOf } from "../../actions/fits.ts"
import type { JsonObject } from "../../effects/json.ts"

const COMMAND = { type: "object", required: ["command"], properties: { command: { type: "string" } } }

const fits = async (inputSchema: JsonObject, input: JsonObject) =>
  (await fitsOf({ "sh/exec": { inputSchema } }))("sh", "exec", input)

describe("an input fits its tool", () => {
  it.each([
    "http://json-schema.org/draft-07/schema#",
    "http://json-schema.org/draft-07/schema",
    "https://json-schema.org/draft/2019-09/schema",
    "https://json-schema.org/draft/2020-12/schema",
    undefined,
  ])("as the draft has it that its schema names: %s", async ($schema) => {
    const schema = $schema === undefined ? COMMAND : { $schema, ...COMMAND }
    expect(await fits(schema, { command: "make" })).toBe(true)
    expect(await fits(schema, { no_sandbox: true })).toBe(false)
    expect(await fits(schema, { command: 5 })).toBe(false)
  })

  it("and is not known to where nothing is known of the tool", async () => {
    const known = await fitsOf({ "sh/exec": {}, "sh/other": { inputSchema: COMMAND } })
    expect(known("sh", "exec", {})).toBeUndefined()
    expect(known("sh", "gone", {})).toBeUndefined()
    expect(known("sh", "other", {})).toBe(false)
  })

  it("of two tools whose servers chose the same `$id`", async () => {
    const known = await fitsOf({
      "a/t": { inputSchema: { $id: "https://x.example/s", ...COMMAND } },
      "b/t": { inputSchema: { $id: "https://x.example/s", type: "object", required: ["path"] } },
    })
    expect([known("a", "t", { command: "x" }), known("b", "t", { command: "x" })]).toEqual([true, false])
  })
})

describe("a schema that cannot be read takes nothing, and harms nobody", () => {
  const command = (more: JsonObject) => ({ ...COMMAND, properties: { command: more } })
  it.each([
    ["a type that is none", { ...COMMAND, type: "objekt" }],
    ["a keyword of a wrong type", { ...COMMAND, required: "command" }],
    ["a draft that nobody knows", { ...COMMAND, $schema: "https://own.example/schema" }],
    ["a reference to somewhere else", command({ $ref: "https://nowhere.example/x.json" })],
    ["a reference to itself", command({ $ref: "#/properties/command" })],
    ["a pattern that is none", command({ type: "string", pattern: "(" })],
    ["a pattern that would take more than linear time", command({ type: "string", pattern: "(a)\\1" })],
  ])("%s", async (_, schema) => {
    expect(await fits(schema, { command: "make" })).toBe(false)
  })

  it("and one whose patterns are made to hang answers at once", async () => {
    const schema = command({ type: "string", pattern: "^(a+)+$" })
    const began = performance.now()
    expect(await fits(schema, { command: `${"a".repeat(5000)}!` })).toBe(false)
    expect(await fits(schema, { command: "a".repeat(5000) })).toBe(true)
    expect(performance.now() - began).toBeLessThan(2000)
  })
})

it("each pattern of a schema is its own", async () => {
  const text = (pattern: string) => ({ type: "string", pattern })
  const schema = {
    type: "object",
    properties: { a: text("^a"), b: text("^b") },
    patternProperties: { "^x-": text("x") },
  }
  expect(await fits(schema, { a: "a", b: "b", "x-c": "x" })).toBe(true)
  for (const input of [{ a: "b" }, { b: "a" }, { "x-c": "a" }]) expect(await fits(schema, input)).toBe(false)
})

it.each([
  ["b", "abc", true],
  ["^b", "abc", false],
  ["c$", "abc", true],
  ["a.c", "a\nc", false],
  ["^a|z$", "xz", true],
  ["^[a-z]+$", "abc", true],
  ["^[a-z]+$", "abc1", false],
])("a schema's pattern may fit anywhere, as JSON Schema has it: %j in %j: %j", async (pattern, command, fit) => {
  const schema = { type: "object", properties: { command: { type: "string", pattern } } }
  expect(await fits(schema, { command })).toBe(fit)
})
