import { fileURLToPath } from "node:url"
import { showFinding } from "../policy/findings.ts"
import type { MakeEngine } from "./engine.ts"
import { findCases } from "./find.ts"
import { showResult } from "./show.ts"
import { runOne } from "./suite.ts"

/** vitest's `test`, or any other's of its shape. */
export type RegisterTest = (name: string, run: () => Promise<void>) => unknown

// Read while the module loads, so that tests are registered at once; where there is no vitest a `test` is handed in.
const vitest: { readonly test?: RegisterTest } = await import("vitest").catch(() => ({}))

/**
 * Registers one test for each golden case under a folder, and one for each golden without a case.
 *
 * @param dir a path, or a URL: `goldenCases(new URL("./cases", import.meta.url))`
 * @throws Error where there is no such folder, no case in it, or no `test` to register with.
 */
export function registerCases(
  dir: string | URL,
  createEngine: MakeEngine,
  register: RegisterTest | undefined = vitest.test,
): void {
  if (!register)
    throw new Error("vitest is not installed here; hand in a `test` function as `goldenCases(dir, { test })`")
  const path = typeof dir === "string" ? dir : fileURLToPath(dir)
  const found = findCases(path)
  if (found.cases.length === 0) throw new Error(`there is no NAME.case.yaml under ${path}`)
  for (const name of found.cases) {
    register(name, async () => {
      const { result } = await runOne(found.dir, name, { createEngine })
      const lines = showResult(result)
      if (lines.length > 0) throw new Error(`${name}\n${lines.join("\n")}`)
    })
  }
  const strays = [
    ...found.orphans.map((file) => ({ file, message: "a golden without a case" })),
    ...found.misnamed.map((file) => ({ file, message: "named nearly like a case, it would never run" })),
  ]
  for (const { file, message } of strays) {
    register(file, async () => {
      throw new Error(showFinding({ severity: "error", message, file }))
    })
  }
}
