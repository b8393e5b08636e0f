import { join } from "node:path"
import { expect, test } from "vitest"
import { goldenCases, runGolden } from "../../golden.ts"
import { EVENT, folderOf, GUARD, put } from "./world.ts"

/** Registers the cases of a folder without running them. */
function registered(dir: string): Map<string, () => Promise<void>> {
  const tests = new Map<string, () => Promise<void>>()
  goldenCases(dir, { test: (name, run) => tests.set(name, run) })
  return tests
}

test("one test a case, which fails with what differs", async () => {
  const dir = folderOf({ "good.case.yaml": GUARD + EVENT, "deep/bad.case.yaml": GUARD + EVENT })
  expect(await runGolden(dir, { update: true })).toMatchObject({ updated: 2 })
  put(dir, "deep/bad.golden.ndjson", "{}\n")
  const tests = registered(dir)
  expect([...tests.keys()]).toEqual(["deep/bad", "good"])
  await expect(tests.get("good")!()).resolves.toBeUndefined()
  await expect(tests.get("deep/bad")!()).rejects.toThrow("not in the golden: verdict")
})

test("goldens without a case, and files that are nearly cases, are failing tests", async () => {
  const dir = folderOf({ "a.case.yaml": GUARD + EVENT, "b.golden.ndjson": "{}\n", "c.case.json": "{}" })
  const tests = registered(dir)
  await expect(tests.get("b.golden.ndjson")!()).rejects.toThrow("a golden without a case")
  await expect(tests.get("c.case.json")!()).rejects.toThrow("nearly like a case")
})

test("a folder without cases is an error: a suite that checks nothing must not pass", () => {
  expect(() => goldenCases(folderOf({}))).toThrow("there is no NAME.case.yaml")
  expect(() => goldenCases(join(folderOf({}), "nowhere"))).toThrow("there is no folder")
})
