import { readdirSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { policySchema } from "../../policy/schema.ts"
import { unreadVariables } from "../../settings/given.ts"
import {
  checkRegistry,
  FLAG_SETTINGS,
  flagOf,
  SETTING_PATHS,
  SETTINGS,
  type Setting,
  variableOf,
} from "../../settings/registry.ts"
import { VERSION } from "../../settings/version.ts"

const max: Setting = { kind: "level", default: "run", scope: "daemon", hot: false, doc: "" }
const own: Setting = { kind: "level", default: "run", scope: "call", hot: true, clampedBy: "max", doc: "" }
const dial = ["off", "advise", "ask", "propose", "apply", "run"]

describe("a malformed registry is refused at the start", () => {
  it.each<[string, Record<string, Setting>, RegExp]>([
    ["the ceiling is missing", { own }, /`own` is clamped by `max`, which is no setting/],
    ["the ceiling is hot", { own, max: { ...max, hot: true } }, /can change while running/],
    ["a caller may set the ceiling", { own, max: { ...max, scope: "call" } }, /which a caller may set/],
    ["the clamped one is no call setting", { own: { ...own, scope: "daemon" }, max }, /must be call-scoped/],
    ["the ceiling is no level", { own, max: { kind: "text", scope: "daemon", hot: false, doc: "" } }, /must be levels/],
    ["the clamped one is no level", { own: { ...own, kind: "text" }, max }, /must be levels/],
    [
      "the levels are unknown",
      { max: { ...max, levels: ["off", "loud"], default: "off" } },
      /no ordered part of the dial/,
    ],
    ["the levels are out of order", { max: { ...max, levels: ["run", "off"] } }, /no ordered part of the dial/],
    ["the levels are none", { max: { ...max, levels: [] } }, /no ordered part of the dial/],
    ["the clamped one has more levels", { own, max: { ...max, levels: ["off", "run"] } }, /no ordered part of those/],
    ["the default is no level", { max: { ...max, default: "on" } }, /none of its levels/],
    ["the default is missing", { max: { kind: "level", scope: "daemon", hot: false, doc: "" } }, /none of its levels/],
    ["the default is above the ceiling's", { own, max: { ...max, default: "ask" } }, /a default above that of `max`/],
    ["the ceiling is clamped itself", { own, max: { ...max, clampedBy: "own" } }, /is clamped itself/],
    ["the ceiling's name is the prototype's", { own: { ...own, clampedBy: "toString" } }, /which is no setting/],
  ])("%s", (_, table, message) => {
    expect(() => checkRegistry(table)).toThrow(message)
  })

  it.each<[string, Partial<Setting>, RegExp]>([
    ["an enum without values", { kind: "enum" }, /has no values to choose from/],
    ["a text with values", { kind: "text", values: ["a"] }, /has values and is no enum/],
    ["a default that is none of the values", { kind: "enum", values: ["a"], default: "b" }, /none of its values/],
    ["a number whose default is a text", { kind: "number", default: "1" }, /a default that is no number/],
    ["a list with a default", { kind: "list", default: "a" }, /a default that is no list/],
    ["a structured one with a default", { kind: "structured", default: true }, /a default that is no structured/],
    ["a text that is on where any layer says so", { kind: "text", combines: "any" }, /and is no boolean/],
  ])("so is %s", (_, row, message) => {
    expect(() => checkRegistry({ own: { kind: "text", scope: "daemon", hot: true, doc: "", ...row } })).toThrow(message)
  })

  it("a part of the dial in order is fine", () => {
    const part = ["off", "ask", "run"]
    expect(() => checkRegistry({ own: { ...own, levels: part }, max: { ...max, levels: dial } })).not.toThrow()
  })
})

it("our own table is well formed and clamps hooks.autonomy", () => {
  expect(() => checkRegistry(SETTINGS)).not.toThrow()
  expect(SETTINGS["hooks.autonomy"].clampedBy).toBe("autonomy.max")
})

it("flags and variables are derived from the path", () => {
  expect(flagOf("autonomy.max")).toBe("--autonomy-max")
  expect(variableOf("autonomy.max")).toBe("DETENT_AUTONOMY_MAX")
  expect(flagOf("script.onSuccess")).toBe("--script-on-success")
  expect(variableOf("script.onSuccess")).toBe("DETENT_SCRIPT_ON_SUCCESS")
  expect(FLAG_SETTINGS).not.toContain("hooks")
  expect(new Set(FLAG_SETTINGS.map(flagOf)).size).toBe(FLAG_SETTINGS.length)
})

it("has a shape for every setting, so that a value of another kind is refused", () => {
  const WRONG = { level: "loud", enum: "loud", text: 5, number: "x", boolean: "x", list: 5, lines: 5, structured: 5 }
  for (const path of SETTING_PATHS) {
    const parsed = policySchema.safeParse({ [path]: WRONG[SETTINGS[path].kind] })
    expect(parsed.success, path).toBe(false)
  }
})

it("calls no variable of ours unknown, and every other by its name", () => {
  const read = ["cli", "daemon", "settings", "actions", "exec", "mcp", "prompts", "store"].flatMap((folder) =>
    sourcesIn(folder).flatMap((text) => text.match(/DETENT_[A-Z_]+/g)?.filter((name) => !name.endsWith("_")) ?? []),
  )
  expect(read.length).toBeGreaterThan(5)
  expect(unreadVariables(Object.fromEntries(read.map((name) => [name, "1"])))).toEqual([])
  expect(unreadVariables({ DETENT_AUTONOMY_MX: "ask", DETENT_HOOK_ID: "x", DETENT_DISABLE_HOOKS: "1" })).toEqual([
    "`DETENT_AUTONOMY_MX` is no setting and is not used; did you mean `DETENT_AUTONOMY_MAX`?",
  ])
})

/** The text of every source in a folder, below it too. */
function sourcesIn(folder: string): string[] {
  const root = new URL(`../../${folder}/`, import.meta.url)
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => readFileSync(new URL(name, root), "utf8"))
}

it("the version is the package's", () => {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8")
  expect((JSON.parse(text) as { version: string }).version).toBe(VERSION)
})
