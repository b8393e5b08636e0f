import { Ajv2020 } from "ajv/dist/2020.js"
import { describe, expect, it } from "vitest"
import { parse } from "yaml"
import { policyJsonSchema } from "../../policy/schema.ts"

const validate = new Ajv2020({ strict: false }).compile(policyJsonSchema())
const hook = (more: object) => ({ version: 1, hooks: [{ on: "call", phase: "before", ...more }] })

describe("the published schema of a policy", () => {
  it("says which draft it is", () => {
    expect(policyJsonSchema()).toMatchObject({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      title: "Detent policy",
    })
  })

  it.each<[string, object]>([
    ["an empty policy", {}],
    ["a rule", hook({ rule: { refuse: "no" } })],
    ["a computed value", hook({ rule: { refuse: { logic: { var: "args.reason" } } } })],
    ["a computed member", hook({ rule: { advise: [{ text: { logic: { var: "tool" } } }, "x"] } })],
    ["a recovery", hook({ phase: "onError", rule: { apply: { result: 1 } } })],
    ["a splice", { hooks: [null], "script.before": ["a", null] }],
    ["dotted settings", parse("autonomy.max: ask\nmodel.provider: openai\nscript.before: x\n") as object],
  ])("takes %s", (_, policy) => {
    expect(validate(policy), JSON.stringify(validate.errors)).toBe(true)
  })

  it.each<[string, object]>([
    ["another version", { version: 2 }],
    ["an unknown key", { hookz: [] }],
    ["an unknown level", { "autonomy.max": "loud" }],
    ["no action", hook({})],
    ["two actions", hook({ rule: {}, run: ["x"] })],
    ["an unknown output key", hook({ rule: { allow: true } })],
    ["an empty refusal", hook({ rule: { refuse: "" } })],
    ["a shell string", hook({ run: "ls -l" })],
    ["an unknown phase", hook({ phase: "after", rule: {} })],
    ["a time limit of no milliseconds", hook({ rule: {}, timeoutMs: 0 })],
  ])("refuses %s", (_, policy) => {
    expect(validate(policy)).toBe(false)
  })
})
