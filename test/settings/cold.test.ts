import { readFileSync } from "node:fs"
import { expect, it } from "vitest"

/** What a file really imports when it is loaded: no types, nothing behind `import()`. */
function importsOf(url: URL): string[] {
  const text = readFileSync(url, "utf8")
  return [...text.matchAll(/^(?:import|export)\s+(?!type\b)(?:[^"']*?\sfrom\s+)?"([^"]+)"/gm)].map((found) => found[1]!)
}

function reached(from: URL, seen = new Map<string, string>()): Map<string, string> {
  for (const name of importsOf(from)) {
    const key = name.startsWith(".") ? new URL(name, from).href : name
    if (seen.has(key)) continue
    seen.set(key, from.pathname)
    if (name.startsWith(".")) reached(new URL(name, from), seen)
  }
  return seen
}

it("finding a policy in the cache loads neither the schema library, nor the YAML reader, nor the regex engine", () => {
  const names = [...reached(new URL("../../settings/load.ts", import.meta.url)).keys()]
  expect(names.some((name) => name.endsWith("/settings/cache.ts"))).toBe(true)
  expect(names.filter((name) => !name.startsWith("file:") && !name.startsWith("node:"))).toEqual([])
  expect(names.filter((name) => /\/(schema|parse|compile|text|re2)\.ts$/.test(name))).toEqual([])
})

it("checking an event and an output loads no library at all", () => {
  for (const file of ["policy/events.ts", "effects/normalise.ts", "policy/points.ts"]) {
    const names = [...reached(new URL(`../../${file}`, import.meta.url)).keys()]
    expect(names.filter((name) => !name.startsWith("file:"))).toEqual([])
  }
})

it("compiling a policy does load them, so the two tests above look at something", () => {
  const names = [...reached(new URL("../../settings/compile.ts", import.meta.url)).keys()]
  expect(names).toEqual(expect.arrayContaining(["zod", "yaml", "re2js"]))
})
