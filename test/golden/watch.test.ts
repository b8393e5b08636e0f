import { appendFileSync, renameSync, rmSync } from "node:fs"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { createEngine } from "../../actions/engine.ts"
import { runSuite, type SuiteResult } from "../../golden/suite.ts"
import { watchSuite } from "../../golden/watch.ts"
import { EVENT, folderOf, put } from "./world.ts"

const policy = (reason: string) =>
  `hooks: [{ id: guard, on: call, phase: before, effect: ask, rule: { refuse: "${reason}" } }]\n`

/** Watches a folder; `next` waits for the result of the next run that nobody has waited for. */
function watched(dir: string): { next(): Promise<SuiteResult>; readonly runs: number } {
  const results: (SuiteResult | { readonly error: Error })[] = []
  let wake = () => {}
  let taken = 0
  const watching = watchSuite(dir, { createEngine }, (result) => {
    results.push(result)
    wake()
  })
  onTestFinished(() => watching.close())
  return {
    get runs() {
      return results.length
    },
    async next() {
      while (results.length <= taken) await new Promise<void>((resolve) => (wake = resolve))
      const result = results[taken++]!
      if ("error" in result) throw result.error
      return result
    },
  }
}

test("a changed policy outside the folder, also one that is replaced by rename, is a new run", async () => {
  const dir = folderOf({
    "rules/detent.yaml": policy("no"),
    "cases/a.case.yaml": `policy: ../rules/detent.yaml\n${EVENT}`,
  })
  await runSuite(join(dir, "cases"), { createEngine, update: true })
  const watch = watched(join(dir, "cases"))
  expect(await watch.next()).toMatchObject({ passed: 1 })
  put(dir, "rules/detent.yaml", policy("never"))
  expect(await watch.next()).toMatchObject({ passed: 0, failed: 1 })
  for (const reason of ["no", "never", "no"]) {
    put(dir, "rules/detent.yaml.tmp", policy(reason))
    renameSync(join(dir, "rules/detent.yaml.tmp"), join(dir, "rules/detent.yaml"))
    expect(await watch.next()).toMatchObject({ passed: reason === "no" ? 1 : 0 })
  }
})

test("a case that comes, in a folder that comes with it, and one that goes", async () => {
  const dir = folderOf({ "detent.yaml": policy("no"), "a.case.yaml": `policy: detent.yaml\n${EVENT}` })
  const watch = watched(dir)
  expect((await watch.next()).results).toHaveLength(1)
  put(dir, "more/b.case.yaml", `policy: ../detent.yaml\n${EVENT}`)
  expect((await watch.next()).results).toHaveLength(2)
  rmSync(join(dir, "a.case.yaml"))
  expect((await watch.next()).results).toHaveLength(1)
})

test("what a hook writes beside the cases starts no run", async () => {
  const dir = folderOf({
    "detent.yaml": "hooks: [{ id: log, on: call, phase: before, run: [sh, -c, 'echo x >> audit.log', audit.log] }]\n",
    "a.case.yaml": `policy: detent.yaml\n${EVENT}`,
  })
  const watch = watched(dir)
  await watch.next()
  appendFileSync(join(dir, "notes.txt"), "x")
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(watch.runs).toBe(1)
  // It still listens.
  put(dir, "detent.yaml", policy("no"))
  await watch.next()
})
