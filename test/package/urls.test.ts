import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { expect, it } from "vitest"
import { runGolden } from "../../golden.ts"
import { createEngine, loadPolicy, parsePolicy } from "../../node.ts"

it("a policy and a folder of cases may be named by URL", async () => {
  const here = mkdtempSync(join(tmpdir(), "detent-urls-"))
  writeFileSync(join(here, "p.yaml"), "hooks: [{ id: a, on: call, phase: before, rule: { advise: x } }]")
  writeFileSync(join(here, "a.case.yaml"), "policy: p.yaml\nevent: { on: call, phase: before, server: s, tool: t }")
  const url = pathToFileURL(`${here}/`)
  const env = { XDG_CONFIG_HOME: here, XDG_STATE_HOME: here, XDG_CACHE_HOME: here }
  const { hooks } = await loadPolicy(new URL("p.yaml", url), { env })
  expect(hooks.map((hook) => hook?.id)).toEqual(["a"])
  const { results } = await runGolden(url)
  expect(results).toMatchObject([{ name: "a", outcome: "failed", missing: true }])
})

it("a policy is read from its text alone", () => {
  expect(() => parsePolicy({ version: 1 } as never)).toThrow("a policy is read from its text, YAML or JSON")
})

it("an operation has the input that it says it takes", async () => {
  const engine = await createEngine({ policy: parsePolicy("version: 1") })
  const event = { server: "fs", tool: "stat", args: { path: "a.txt" } }
  expect((await engine.around("call", event, ({ path }: { path: string }) => path.length)).result).toBe(5)
})
