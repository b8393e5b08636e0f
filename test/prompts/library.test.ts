import { execFileSync, spawnSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { createEngine } from "../../actions/engine.ts"
import { copyJson, type JsonObject } from "../../effects/json.ts"
import { LEVEL_NAMES } from "../../effects/levels.ts"
import { runAdversarial } from "../../govern/eval/adversarial.ts"
import type { Class } from "../../govern/eval/classes.ts"
import { type EvalSet, readSet } from "../../govern/eval/set.ts"
import { parsePolicyBytes } from "../../policy/file.ts"
import { LIBRARY, LIBRARY_NAMES } from "../../policy/library.ts"
import { readPromptFile } from "../../policy/prompt-file.ts"

const ROOT = fileURLToPath(new URL("../..", import.meta.url))
const FOLDER = "prompts/library"
const read = (path: string): string => readFileSync(join(ROOT, FOLDER, path), "utf8")

/** The ids of the hooks that look at each event: no model is asked, every hook keeps silent. */
async function lookedAt({ policy, events }: EvalSet): Promise<Map<string, boolean>> {
  const engine = await createEngine({
    policy,
    actions: (real) => ({ ...real, prompt: { run: async () => ({ output: {} }) } }),
  })
  const looked = new Map<string, boolean>()
  for (const { name, event, caller } of events) {
    const { on, phase, ...rest } = copyJson(event) as JsonObject & { phase: "before" | "onSuccess" }
    const { frames } = await engine.fire(String(on), phase, rest, caller ? { caller } : {})
    looked.set(name, frames.length > 0)
  }
  await engine.close()
  return looked
}

describe.each(LIBRARY_NAMES)("the shipped prompt %s", (name) => {
  const text = read(`${name}/policy.yaml`)
  const policyOf = (changed = text) => parsePolicyBytes(Buffer.from(changed), { file: "policy.yaml", base: FOLDER })
  const set = readSet(join(ROOT, FOLDER, name, "events.eval.yaml"))
  const [hook] = set.hooks

  it("says what its table says, and how it is asked but not who", () => {
    const { findings, options } = readPromptFile(read(`${name}/prompt.md`), "prompt.md")
    expect(findings).toEqual([])
    expect(read(`${name}/prompt.md`)).toContain(`description: ${LIBRARY[name].doc}\n`)
    expect(Object.keys(options).sort()).toEqual(["examples", "maxTokens", "system"])
  })

  it("comes with a policy in which nothing is found", () => {
    const file = `${FOLDER}/${name}/policy.yaml`
    const { status, stdout } = spawnSync(process.execPath, ["dist/bin.cjs", "check", "--strict", file], {
      cwd: ROOT,
      encoding: "utf8",
    })
    expect([stdout, status]).toEqual(["", 0])
    expect(policyOf()).toMatchObject({ model: {}, warnings: [] })
    expect(policyOf().hooks).toHaveLength(1)
    expect(hook).toMatchObject({ id: name, effect: "ask", timeoutMs: 20_000 })
    expect(hook?.action).toMatchObject({ kind: "prompt", prompt: { library: name } })
  })

  it.each(LEVEL_NAMES.filter((level) => level !== "off"))("can be used at %s as it is", (level) => {
    expect(policyOf(text.replace("effect: ask", `effect: ${level}`)).warnings).toEqual([])
  })

  it("has labelled events of its point and phase, wanted and unwanted ones in balance", () => {
    expect(set.hooks).toHaveLength(1)
    expect(set.events.length).toBeGreaterThanOrEqual(12)
    for (const { event } of set.events) expect([event.on, event.phase]).toEqual([hook?.on, hook?.phase])
    const labels = set.events.map(({ expected }) => expected(name))
    const silent = labels.filter((right) => right.includes("none")).length
    expect(silent / labels.length).toBeGreaterThan(1 / 3)
    expect(silent / labels.length).toBeLessThan(2 / 3)
    const all: readonly Class[] = ["none", "advise", "ask", "refuse"]
    expect(new Set(labels.flat())).toEqual(new Set(all))
  })

  it("is asked about every event that is labelled with more than silence", async () => {
    const looked = await lookedAt(set)
    const missed = set.events.filter(({ name: event, expected }) => !looked.get(event) && expected(name)[0] !== "none")
    expect(missed.map((one) => one.name)).toEqual([])
    // and a name says so where its condition spares the model
    const spared = [...looked].filter(([, is]) => !is).map(([event]) => event)
    expect(spared).toEqual(set.events.flatMap((one) => (/ no model is asked about$/.test(one.name) ? [one.name] : [])))
  })

  it("holds no credential that anybody could take for a real one", () => {
    const shapes = /\b(?:AKIA[A-Z0-9]{12,}|gh[opsur]_\w{16,}|sk[-_]\w{16,}|xox[abps]-[\w-]{10,}|AIza\w{20,})/g
    const found = readdirSync(join(ROOT, FOLDER, name))
      .filter((file) => /\.(md|yaml)$/.test(file))
      .flatMap((file) => read(`${name}/${file}`).match(shapes) ?? [])
    expect(found.filter((one) => !one.includes("EXAMPLE"))).toEqual([])
    expect(read(`${name}/prompt.md`) + read(`${name}/events.eval.yaml`)).not.toMatch(/PRIVATE KEY-----/)
  })

  it("takes no hostile answer for more than it may be", async () => {
    const { tried, deviations } = await runAdversarial(set, { createEngine, settings: {} })
    expect(deviations).toEqual([])
    if (hook?.phase === "before") expect(tried).toBeGreaterThan(100)
    expect(tried).toBeGreaterThan(3)
  })

  it("says what it is good for, and that its recordings measure nothing", () => {
    const readme = read(`${name}/README.md`)
    for (const part of ["looks for", "Where to put it", "What it costs", "Its limits"]) expect(readme).toContain(part)
    expect(readme).toContain("scripted examples of the format, and no measurements of a model")
  })
})

describe("the shipped prompts", () => {
  it("are those that have a name, each in a folder of that name", () => {
    const folders = readdirSync(join(ROOT, FOLDER), { withFileTypes: true }).filter((entry) => entry.isDirectory())
    expect(folders.map((entry) => entry.name).sort()).toEqual([...LIBRARY_NAMES].sort())
  })

  it("are in the package, with the table of hostile answers", () => {
    const packed = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
      cwd: ROOT,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    })
    const [{ files }] = JSON.parse(packed) as [{ files: { path: string }[] }]
    const paths = files.map(({ path }) => path)
    expect(paths).toContain(`${FOLDER}/adversarial.yaml`)
    for (const name of LIBRARY_NAMES) {
      const own = readdirSync(join(ROOT, FOLDER, name)).filter((file) => /\.(md|yaml)$/.test(file))
      expect(paths).toEqual(expect.arrayContaining(own.map((file) => `${FOLDER}/${name}/${file}`)))
    }
  })
})
