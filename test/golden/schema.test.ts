import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { Ajv2020 } from "ajv/dist/2020.js"
import { expect, test } from "vitest"
import { parse } from "yaml"
import { caseFile, findCases } from "../../golden/find.ts"
import { caseJsonSchema } from "../../golden/schema.ts"

const validate = new Ajv2020({ strict: false }).compile(caseJsonSchema())

test("the published schema takes every case of ours", () => {
  const { dir, cases } = findCases(fileURLToPath(new URL("../../fixtures/cases", import.meta.url)))
  expect(cases.length).toBeGreaterThanOrEqual(140)
  const refused = cases.filter((name) => !validate(parse(readFileSync(caseFile(dir, name), "utf8"))))
  expect(refused).toEqual([])
})

test("and refuses what the reader refuses", () => {
  const event = { on: "call" }
  for (const wrong of [
    { event },
    { policy: "detent.yaml" },
    { policy: "detent.yaml", event, setings: {} },
    { policy: "detent.yaml", event, settings: { "autonomy.max": "high" } },
    { policy: "detent.yaml", event, outputs: { a: { failed: { kind: "tired" } } } },
    { policy: "detent.yaml", event, answers: { a: true } },
    { policy: "detent.yaml", event, tools: { write_file: {} } },
  ]) {
    expect(validate(wrong), JSON.stringify(wrong)).toBe(false)
  }
})

test("each case says at its head what must come out", () => {
  const { dir, cases } = findCases(fileURLToPath(new URL("../../fixtures/cases", import.meta.url)))
  expect(cases.filter((name) => !/^# \S/.test(readFileSync(caseFile(dir, name), "utf8")))).toEqual([])
})
