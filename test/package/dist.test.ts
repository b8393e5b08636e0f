import { execFileSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { builtinModules } from "node:module"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import vm from "node:vm"
import { build, type Metafile } from "esbuild"
import { describe, expect, it } from "vitest"
import { filesUnder } from "../architecture/read.ts"
import { RINGS } from "../architecture/rings.ts"
import { SURFACES } from "./surface.ts"

const ROOT = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "")
const isBuilt = existsSync(join(ROOT, "dist/index.js"))

/** The doors, by the name under which the package exports them. */
const DOORS = Object.keys(SURFACES).map((file) => ({
  file,
  name: file === "index.ts" ? "detent" : `detent/${file.replace(/\.ts$/, "")}`,
}))

const isBuiltin = (name: string): boolean => name.startsWith("node:") || builtinModules.includes(name)

/** What the built files import that is not a file of theirs. */
const outside = (metafile: Metafile): string[] => [
  ...new Set(
    Object.values(metafile.inputs).flatMap(({ imports }) =>
      imports.filter((one) => one.external).map((one) => one.path),
    ),
  ),
]

describe("the built package", () => {
  it("has been built: run `npm run build` before these tests", () => {
    expect(isBuilt).toBe(true)
  })

  it("mirrors the source, file by file", () => {
    const folders = Object.keys(RINGS).filter((row) => !row.includes(".") && existsSync(join(ROOT, row)))
    const sources = folders.flatMap((folder) => filesUnder(ROOT, folder, ".ts")).filter((file) => file !== "cli/bin.ts")
    expect(sources).toContain("clamp/clamp.ts")
    const built = new Set(filesUnder(ROOT, "dist", ".js"))
    expect(sources.filter((file) => !built.has(`dist/${file.replace(/\.ts$/, ".js")}`))).toEqual([])
    expect(filesUnder(ROOT, "dist", ".map")).toEqual([])
  })

  for (const { file, name } of DOORS) {
    it(`opens the door ${name} by its name, with its types beside it`, async () => {
      // By its name: the package's own exports map leads to the file, as it does for who installs it.
      const text = `import * as door from "${name}"; console.log(JSON.stringify(Object.keys(door)))`
      const out = execFileSync(process.execPath, ["--input-type=module", "-e", text], { cwd: ROOT, encoding: "utf8" })
      expect((JSON.parse(out) as string[]).sort()).toEqual([...(SURFACES[file]?.values ?? [])].sort())
      const types = readFileSync(join(ROOT, "dist", file.replace(/\.ts$/, ".d.ts")), "utf8")
      const exported = /export \{([^}]*)\};?\s*$/.exec(types)?.[1]?.split(",") ?? []
      const names = exported.map((one) => one.trim().replace(/^type /, ""))
      expect(names.sort()).toEqual([...(SURFACES[file]?.values ?? []), ...(SURFACES[file]?.types ?? [])].sort())
    })
  }

  it("reaches nothing of Node from the pure door, and works without any global of a host", async () => {
    const { metafile, outputFiles } = await build({
      entryPoints: [join(ROOT, "dist/index.js")],
      bundle: true,
      write: false,
      metafile: true,
      format: "iife",
      globalName: "detent",
      platform: "browser",
      logLevel: "silent",
    })
    expect(outside(metafile)).toEqual([])
    const result: unknown = vm.runInNewContext(
      `${outputFiles[0]?.text}; detent.clamp({ phase: "suffix", effect: "run" }).effect`,
      Object.create(null),
    )
    expect(result).toBe("advise")
  })

  it("starts the command from one file that needs nothing but Node", async () => {
    const text = readFileSync(join(ROOT, "dist/bin.cjs"), "utf8")
    expect(text.startsWith("#!/usr/bin/env node\n")).toBe(true)
    const { metafile } = await build({
      entryPoints: [join(ROOT, "dist/bin.cjs")],
      bundle: true,
      write: false,
      metafile: true,
      platform: "node",
      external: ["./cli/main.js"],
      packages: "external",
      logLevel: "silent",
    })
    const needed = outside(metafile).filter((one) => !isBuiltin(one))
    expect(needed).toEqual(["./cli/main.js"])
    expect(Object.keys(metafile.inputs)).toEqual(["dist/bin.cjs"])
  })
})
