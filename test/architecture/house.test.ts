import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { findFaults } from "./check.ts"
import { filesUnder, readSource } from "./read.ts"
import { ENTRIES, RINGS, TABLES } from "./rings.ts"

const ROOT = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "")

/** Folders of the repository that hold no part of the product. */
const BESIDE = new Set(["bench", "coverage", "dist", "docs", "examples", "fixtures", "node_modules", "schemas", "test"])

const folders = readdirSync(ROOT, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !entry.name.startsWith(".") && !BESIDE.has(entry.name))
  .map((entry) => entry.name)

const doors = Object.keys(RINGS).filter(
  (row) => !row.includes("/") && row.endsWith(".ts") && existsSync(join(ROOT, row)),
)

const sources = [...folders.flatMap((folder) => filesUnder(ROOT, folder, ".ts")), ...doors].map((file) =>
  readSource(ROOT, file),
)

describe("the house", () => {
  it("is built as its table of rings says, without a cycle", () => {
    // A checker that was given nothing would find nothing.
    expect(sources.length).toBeGreaterThan(10)
    expect(findFaults(sources)).toEqual([])
  })

  it("has a row for each folder, and no rows for files that are gone", () => {
    const withSources = folders.filter((folder) => sources.some(({ file }) => file.startsWith(`${folder}/`)))
    expect(withSources.filter((folder) => !Object.hasOwn(RINGS, folder))).toEqual([])
    expect([...Object.keys(ENTRIES), ...TABLES].filter((file) => !existsSync(join(ROOT, file)))).toEqual([])
  })

  it("has no exception that nobody needs", () => {
    const unused = Object.entries(ENTRIES).flatMap(([file, { needs }]) => {
      const used = sources.find((source) => source.file === file)?.process ?? []
      return needs.filter((member) => !used.includes(member)).map((member) => `${file}: process.${member}`)
    })
    expect(unused).toEqual([])
    const long = sources.filter(({ file, lines }) => TABLES.includes(file) && lines <= 250).map(({ file }) => file)
    expect(long).toEqual([])
  })

  it("imports no package that an installed Detent would not have", () => {
    const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
      dependencies: object
      peerDependencies: object
    }
    const installed = { ...manifest.dependencies, ...manifest.peerDependencies }
    const wanting = sources.flatMap(({ file, imports }) =>
      imports
        .filter(({ kind, target }) => kind === "package" && !Object.hasOwn(installed, target))
        .map(({ target }) => `${file}: ${target} is not among the dependencies`),
    )
    expect(wanting).toEqual([])
  })

  it("mentions no path of the machine that it was written on", () => {
    // Put together here, so that this file does not mention them either.
    const here = new RegExp(
      [
        ["", "work", "(main|shared|brief)\\b"],
        ["", "tmp", "brief"],
        ["\\.library", "(env|search)\\b"],
      ]
        .map((parts) => parts.join("/"))
        .join("|"),
    )
    const skipped = new Set([".git", "node_modules", "dist", "coverage", ".detent"])
    const found: string[] = []
    const walk = (folder: string): void => {
      for (const name of readdirSync(join(ROOT, folder))) {
        if (skipped.has(name)) continue
        const file = join(folder, name)
        if (statSync(join(ROOT, file)).isDirectory()) walk(file)
        else if (here.test(readFileSync(join(ROOT, file), "utf8"))) found.push(file)
      }
    }
    walk("")
    expect(found).toEqual([])
  })
})
