import { describe, expect, it } from "vitest"
import { findCycles, findFaults } from "./check.ts"
import { parseSource, type Source } from "./read.ts"

/** A made-up tree: file names and their text. */
const tree = (files: Record<string, string>): Source[] =>
  Object.entries(files).map(([file, text]) => parseSource(file, text))

const faults = (files: Record<string, string>): string[] => findFaults(tree(files))

describe("the checker of the architecture", () => {
  it("finds nothing wrong with a tree that follows the table", () => {
    expect(
      faults({
        "effects/a.ts": `import * as z from "zod"\nexport const a = z`,
        "policy/b.ts": `import { a } from "../effects/a.ts"\nexport const b = a`,
        "frames/c.ts": `import type { D } from "../clamp/d.ts"\nexport type C = D`,
        "clamp/d.ts": `import { b } from "../policy/b.ts"\nexport type D = typeof b`,
        "cli/main.ts": `import { join } from "node:path"\nexport const m = join(process.argv[0]!, process.env.HOME!)`,
        "actions/run/x.ts": `export const load = () => import("../../policy/b.ts")\nexport const at = process.cwd()`,
      }),
    ).toEqual([])
  })

  it("finds an import up the rings, whatever its kind", () => {
    const up = ["clamp/d.ts: `clamp` may not import engine/e.ts"]
    const engine = { "engine/e.ts": "export const e = 1" }
    for (const line of [
      `import { e } from "../engine/e.ts"`,
      `import type { E } from "../engine/e.ts"`,
      `export { e } from "../engine/e.ts"`,
      `export const e = () => import("../engine/e.ts")`,
      `export type E = import("../engine/e.ts").E`,
      `import "../engine/e.ts"`,
    ]) {
      expect(faults({ ...engine, "clamp/d.ts": line }), line).toEqual(up)
    }
  })

  it("finds a value where only types may be imported", () => {
    expect(
      faults({
        "clamp/d.ts": "export const d = 1",
        "frames/c.ts": `import { d } from "../clamp/d.ts"\nexport const c = d`,
      }),
    ).toEqual(["frames/c.ts: `frames` may import types alone from clamp/d.ts"])
  })

  it("finds Node and packages where they may not be", () => {
    expect(
      faults({
        "engine/a.ts": `import { readFileSync } from "node:fs"\nimport type { Readable } from "node:stream"`,
        "effects/b.ts": `import { parse } from "yaml"\nimport x from "@some/scope/deep"`,
        "policy/file.ts": `import { readFileSync } from "node:fs"`,
      }),
    ).toEqual([
      "engine/a.ts: `engine` is pure and may not import node:fs",
      "engine/a.ts: `engine` is pure and may not import node:stream",
      "effects/b.ts: `effects` may not import the package yaml",
      "effects/b.ts: `effects` may not import the package @some/scope",
    ])
  })

  it("keeps the loader file and the template apart from their folders", () => {
    expect(
      faults({
        "policy/file.ts": "export const load = 1",
        "prompts/template.ts": "export const t = 1",
        "prompts/models.ts": "export const m = 1",
        "engine/a.ts": `import { t } from "../prompts/template.ts"\nimport { load } from "../policy/file.ts"`,
        "engine/b.ts": `import { m } from "../prompts/models.ts"`,
        "index.ts": `export { load } from "./policy/file.ts"`,
      }),
    ).toEqual([
      "engine/a.ts: `engine` may not import policy/file.ts",
      "engine/b.ts: `engine` may not import prompts/models.ts",
      "index.ts: `index.ts` may not import policy/file.ts",
    ])
  })

  it("finds an import of a file that is not there, and a folder without a row", () => {
    expect(faults({ "clamp/a.ts": `import "./gone.ts"` })).toEqual([
      "clamp/a.ts: imports clamp/gone.ts, which is not there",
    ])
    expect(faults({ "tools/a.ts": `import "node:fs"` })).toEqual([
      "tools/a.ts: `tools` has no row in the table of rings",
    ])
  })

  it("finds cycles of any length, of types and of lazy imports too, each once", () => {
    expect(
      findCycles(
        tree({
          "engine/a.ts": `import "./b.ts"\nimport "./z.ts"`,
          "engine/b.ts": `import type { C } from "./c.ts"`,
          "engine/c.ts": `export const load = () => import("./a.ts")`,
          "engine/self.ts": `import "./self.ts"`,
          "engine/z.ts": "export const z = 1",
        }),
      ),
    ).toEqual([
      "cycle: engine/a.ts → engine/b.ts → engine/c.ts → engine/a.ts",
      "cycle: engine/self.ts → engine/self.ts",
    ])
  })

  it("finds who else reads the command line or the environment, or ends the process", () => {
    const only = (member: string) => [`settings/a.ts: only cli/ may use process.${member}`]
    expect(faults({ "settings/a.ts": "export const a = process.env.HOME" })).toEqual(only("env"))
    expect(faults({ "settings/a.ts": "export const a = globalThis.process.argv" })).toEqual(only("argv"))
    expect(faults({ "settings/a.ts": "process.exit(1)" })).toEqual(only("exit"))
    expect(faults({ "settings/a.ts": "process.exitCode = 1" })).toEqual(only("exitCode"))
    expect(faults({ "settings/a.ts": "export const { env } = process" })).toEqual(only("*"))
    expect(faults({ "settings/a.ts": `export const e = process["env"]` })).toEqual(only("*"))
    expect(faults({ "settings/a.ts": `import { env } from "node:process"\nexport { env }` })).toEqual(only("*"))
    expect(faults({ "settings/a.ts": "export const a = (b: { process: () => 1 }) => b.process()" })).toEqual([])
  })

  it("finds names without a concept, long files, star and default exports", () => {
    expect(
      faults({ "engine/utils.ts": "", "policy/Helpers/a.ts": "", "cli/lib/a.ts": "", "policy/commons.ts": "" }),
    ).toEqual([
      "engine/utils.ts: `utils.ts` names no concept",
      "policy/Helpers/a.ts: `Helpers` names no concept",
      "cli/lib/a.ts: `lib` names no concept",
    ])
    expect(faults({ "engine/a.ts": "\n".repeat(250) })).toEqual([])
    expect(faults({ "engine/a.ts": "\n".repeat(251) })).toEqual(["engine/a.ts: 251 lines, over 250"])
    expect(faults({ "engine/a.ts": "", "engine/b.ts": `export * from "./a.ts"\nexport * as a from "./a.ts"` })).toEqual(
      ["engine/b.ts: `export *` hides what the surface is"],
    )
    for (const text of ["export default 1", "export default function f() {}", "export default class A {}"]) {
      expect(faults({ "engine/a.ts": text }), text).toEqual(["engine/a.ts: exports are named"])
    }
  })
})
