import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { describe, expect, it } from "vitest"
import { EVENT, folderWith, lines, policy, rule } from "../cli/capture.ts"
import { startBeside } from "../cli/process.ts"
import { answered, KEY, until, WAYS, type Way, world } from "./asking.ts"
import { type Behaviour, SAID } from "./model-server.ts"

const w = world()

/** Writes down each module that a process loads, whichever way. */
const WITNESS = {
  "witness.cjs": `const Module = require("node:module"); const fs = require("node:fs")
    const tell = (name) => fs.appendFileSync(process.env.WITNESS, name + "\\n")
    const resolve = Module._resolveFilename
    Module._resolveFilename = (...given) => { const file = resolve(...given); tell(file); return file }
    Module.register(process.env.WITNESS_HOOKS)`,
  "witness-hooks.mjs": `import { appendFileSync } from "node:fs"
    export const resolve = async (name, context, next) => {
      const found = await next(name, context)
      appendFileSync(process.env.WITNESS, found.url + "\\n")
      return found
    }`,
}

const PACKAGES = ["openai", "@anthropic-ai/sdk", "mustache", "zod", "yaml"] as const

/** @param before runs of the same command, which leave a compiled policy behind */
async function packagesOf(words: string[], files: Record<string, unknown>, before = 0) {
  const cwd = folderWith({ ...WITNESS, "e.json": EVENT, ...files })
  for (let at = 0; at < before; at++) await startBeside(words, { cwd })
  const seen = join(cwd, "seen.txt")
  writeFileSync(seen, "")
  const ran = await startBeside(words, {
    cwd,
    env: {
      NODE_OPTIONS: `--require ${join(cwd, "witness.cjs")}`,
      WITNESS: seen,
      WITNESS_HOOKS: pathToFileURL(join(cwd, "witness-hooks.mjs")).href,
      MODEL_KEY: KEY,
    },
  })
  const text = readFileSync(seen, "utf8")
  return { ...ran, packages: PACKAGES.filter((name) => text.includes(`/node_modules/${name}/`)) }
}

const asking = (way: Way, hook: object = {}, model: object = {}) =>
  policy([{ id: "judge", on: "call", phase: "before", effect: "ask", prompt: "Judge @args", ...hook }], {
    model: { ...w.modelOf(way), ...model },
  })

const DECIDE = ["decide", "--policy", "p.json", "--event", "e.json"]

describe("the command line", () => {
  it("without prompt hooks loads no SDK", async () => {
    const { code, packages } = await packagesOf(DECIDE, { "p.json": policy([rule("a", { advise: "x" })]) })
    expect(code).toBe(0)
    expect(packages).not.toContain("openai")
    expect(packages).not.toContain("@anthropic-ai/sdk")
  })

  it("without prompt hooks loads no package at all, once the policy was compiled", async () => {
    const { code, packages } = await packagesOf(DECIDE, { "p.json": policy([rule("a", { advise: "x" })]) }, 1)
    expect(code).toBe(0)
    expect(packages).toEqual([])
  })

  it.each([
    ["a prompt hook that is not asked", () => asking(WAYS[0]!, { when: { tool: "other" } })],
    ["a prompt hook that is off", () => asking(WAYS[0]!, { effect: "off" })],
    ["a prompt hook without a model", () => policy([{ id: "j", on: "call", phase: "before", prompt: "x" }])],
  ])("with %s loads no SDK", async (_, text) => {
    const { code, packages } = await packagesOf(DECIDE, { "p.json": text() })
    expect(code).toBe(0)
    expect(packages).not.toContain("openai")
    expect(packages).not.toContain("@anthropic-ai/sdk")
  })

  it("checks prompts, sections and all, without an SDK", async () => {
    const text = asking(WAYS[0]!, { prompt: "{{#args}}@tool{{/args}}" })
    const { code, packages } = await packagesOf(["check", "p.json"], { "p.json": text })
    expect(code).toBe(0)
    expect(packages).not.toContain("openai")
    expect(packages).not.toContain("@anthropic-ai/sdk")
  })

  it.each(WAYS.filter(({ stream }) => !stream))("loads the one SDK that it asks with: $provider", async (way) => {
    w.server.answer(answered({ refuse: "no" }))
    const { code, packages } = await packagesOf(DECIDE, { "p.json": asking(way) })
    expect(code).toBe(2)
    expect(packages.includes("openai")).toBe(way.provider === "openai")
    expect(packages.includes("@anthropic-ai/sdk")).toBe(way.provider === "anthropic")
  })
})

describe.each(WAYS)("a decision about which a model is asked ($name)", (way) => {
  async function decide(behaviour: Behaviour, hook: object = {}, words: string[] = []) {
    w.server.answer(behaviour)
    const cwd = folderWith({ "p.json": asking(way, { timeoutMs: 20_000, ...hook }), "e.json": EVENT })
    const began = performance.now()
    const ran = await startBeside([...DECIDE, ...words], { cwd, env: { MODEL_KEY: KEY } })
    return { ...ran, took: performance.now() - began }
  }

  it("is the model's, within its level", async () => {
    const { code, out, err } = await decide(answered({ refuse: "no", apply: { input: {} } }))
    expect(code).toBe(2)
    expect(lines(out)[0]).toMatchObject({ refuse: { reason: "no" }, dropped: [{ key: "apply" }] })
    expect(out + err).not.toContain(KEY)
  })

  it("ends when the hook's time is over, and leaves nothing running", async () => {
    const { code, out, took } = await decide({ silent: true }, { timeoutMs: 1500 })
    expect(code).toBe(0)
    expect(lines(out)[0]).toMatchObject({ failed: { kind: "timeout" } })
    expect(took).toBeLessThan(10_000)
    expect(w.server.received).toHaveLength(1)
    await until(() => w.server.received[0]!.closed)
  })

  it.each([
    ["json", { status: 401 }],
    ["text", { status: 401 }],
    ["text", { raw: SAID }],
    ["text", { raw: `data: {"${SAID}\n\n` }],
    ["text", { text: null, words: SAID, refusal: SAID, stop: "refusal" }],
  ])("prints nothing that a failing server or model said, and no key: %s, %j", async (format, behaviour) => {
    const { code, out, err } = await decide(behaviour, { failure: "closed" }, ["--format", format])
    expect(code).toBe(2)
    expect(out + err).not.toContain(SAID)
    expect(out + err).not.toContain(KEY)
  })
})

describe("a key that was pasted where its variable's name belongs", () => {
  const pasted = "sk-proj-abcdefghij0123456789ABCDEFGHIJ"
  const files = () => ({
    "p.json": asking(WAYS[0]!),
    "e.json": EVENT,
    "bad.json": asking(WAYS[0]!, {}, { apiKeyEnv: pasted }),
  })
  it.each([
    ["in a policy", ["check", "bad.json"], {}],
    ["in a policy that is used", ["decide", "--policy", "bad.json", "--event", "e.json"], {}],
    ["as a flag", [...DECIDE, "--model-api-key-env", pasted], {}],
    ["as a variable", DECIDE, { DETENT_MODEL_API_KEY_ENV: pasted }],
    ["as an address", DECIDE, { DETENT_MODEL_BASE_URL: `http://user:${pasted}@host` }],
  ])("is refused and not repeated: %s", async (_, words, env) => {
    const { code, out, err } = await startBeside(words, { cwd: folderWith(files()), env })
    expect(code).toBe(1)
    expect(out + err).not.toContain(pasted)
    expect(out + err).toMatch(/must be (the name of a variable|an http or https URL)/)
  })
})
