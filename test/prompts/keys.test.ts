import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it, vi } from "vitest"
import { createEngine } from "../../actions/engine.ts"

import { readPromptFile } from "../../policy/prompt-file.ts"
import { answered, EVENT, HOOK, hookFrames, KEY, PROVIDERS, policyOf, WAYS, world } from "./asking.ts"
import { findingsOf, findingsOfSetting } from "./refusing.ts"

const w = world()

/** What came with a request as a key. */
const keySent = ({ headers }: { headers: Record<string, unknown> }) =>
  [headers.authorization, headers["x-api-key"]].filter((value) => value !== undefined).join(" ")

const allFilesUnder = (folder: string): string[] =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    return statSync(path).isDirectory() ? allFilesUnder(path) : [path]
  })

describe.each(WAYS)("a key ($name)", (way) => {
  it("is read from its variable, and is sent to the server", async () => {
    const { requests } = await w.ask(way, answered({}))
    expect(keySent(requests[0]!)).toContain(KEY)
  })

  it("loses the white space around it", async () => {
    const { requests } = await w.ask(way, answered({}), { env: { MODEL_KEY: ` ${KEY}\n` } })
    expect(keySent(requests[0]!)).toMatch(new RegExp(`${KEY}$`))
  })

  it("stands in no frame, no recording and no cache, whatever the model says", async () => {
    const folder = join(w.home, `tape-${way.name}`)
    const text = JSON.stringify({ advise: `the key is ${KEY}` })
    const cassettes = { folder, mode: "record" as const }
    const { frame } = await w.ask(way, [{ text }, { status: 401 }], { engine: { cassettes } })
    expect(frame.advise?.[0]?.text).toContain(KEY)
    for (const file of allFilesUnder(folder)) expect(readFileSync(file, "utf8")).not.toContain(KEY)
    const again = await w.ask(way, { text: "{}" }, { model: { cacheMs: 60_000 } })
    expect(JSON.stringify(again.verdict)).not.toContain(KEY)
    for (const file of allFilesUnder(join(w.home, "cache"))) expect(readFileSync(file, "utf8")).not.toContain(KEY)
  })

  it.each([
    ["is not set", undefined, "the variable `MODEL_KEY`, which holds the model's key, is not set"],
    ["is empty", " ", "the variable `MODEL_KEY`, which holds the model's key, is not set"],
    ["no header can carry", "secret\nkey", "what the variable `MODEL_KEY` holds is no key"],
    ["has a letter that no header can carry", "secret-ключ", "what the variable `MODEL_KEY` holds is no key"],
  ])("that %s means no model, and no request", async (_, value, missing) => {
    const { frame, verdict, requests } = await w.ask(way, answered({}), { env: { MODEL_KEY: value } })
    expect(frame).toMatchObject({ skipped: "no-model", notes: [`${missing}; no request is sent`] })
    expect(frame).not.toHaveProperty("failed")
    expect(verdict.outcome).toBe("continue")
    expect(requests).toHaveLength(0)
  })

  it("that is not there refuses where the hook is closed", async () => {
    const ask = { env: { MODEL_KEY: undefined }, hook: { failure: "closed" } }
    const { frame, verdict, requests } = await w.ask(way, answered({}), ask)
    expect(frame.skipped).toBe("no-model")
    expect(verdict).toMatchObject({ outcome: "refuse", refusal: { hook: "judge", code: "hook_failed" } })
    expect(requests).toHaveLength(0)
  })

  it("is not sent to a server of one's own that names none", async () => {
    const variable = way.provider === "openai" ? "OPENAI_API_KEY" : "ANTHROPIC_API_KEY"
    const { provider, stream, name, baseUrl } = w.modelOf(way)
    const policy = policyOf({ model: { provider, stream, name, baseUrl }, hooks: [HOOK] })
    w.server.answer(answered({ refuse: "no" }))
    const engine = await createEngine({ policy, env: { ...w.environment(), [variable]: KEY } })
    expect(hookFrames(await engine.fire("call", "before", EVENT))[0]!.refuse).toEqual({ reason: "no" })
    expect(keySent(w.server.received[0]!)).not.toContain(KEY)
    await engine.close()
  })

  it("is not looked for in the SDKs' own variables, nor are headers, addresses and organisations", async () => {
    const strays = {
      OPENAI_API_KEY: "stray-key",
      OPENAI_ADMIN_KEY: "stray-key",
      OPENAI_BASE_URL: "http://127.0.0.1:1",
      OPENAI_ORG_ID: "stray-organisation",
      OPENAI_PROJECT_ID: "stray-project",
      OPENAI_CUSTOM_HEADERS: "x-stray: stray\nauthorization: Bearer stray-key",
      OPENAI_LOG: "debug",
      ANTHROPIC_API_KEY: "stray-key",
      ANTHROPIC_AUTH_TOKEN: "stray-token",
      ANTHROPIC_BASE_URL: "http://127.0.0.1:1",
      ANTHROPIC_CUSTOM_HEADERS: "x-stray: stray\nauthorization: Bearer stray-key",
      ANTHROPIC_LOG: "debug",
    }
    for (const [name, value] of Object.entries(strays)) vi.stubEnv(name, value)
    const { frame, requests, printed } = await w.ask(way, answered({ refuse: "no" }))
    expect(frame.refuse).toEqual({ reason: "no" })
    expect(JSON.stringify(requests[0]!.headers)).not.toContain("stray-")
    expect(requests[0]!.headers).not.toHaveProperty("x-stray")
    expect(keySent(requests[0]!)).toContain(KEY)
    expect(printed).toBe("")
  })
})

describe("no model", () => {
  it.each([
    [{}, "no model is configured (`model.name`, or `model` in the prompt)"],
    [{ provider: "openai" }, "no model is configured (`model.name`, or `model` in the prompt)"],
    [{ name: "m" }, "no provider is configured (`model.provider`: openai or anthropic)"],
    [{ name: "m", provider: "openai" }, "the variable `OPENAI_API_KEY`, which holds the model's key, is not set"],
    [{ name: "m", provider: "anthropic" }, "the variable `ANTHROPIC_API_KEY`, which holds the model's key, is not set"],
    [
      { name: "m", provider: "openai", apiKeyEnv: "constructor" },
      "the variable `constructor`, which holds the model's key, is not set",
    ],
  ])("is told with what is missing: %j", async (model, missing) => {
    w.server.answer(answered({}))
    const engine = await createEngine({ policy: policyOf({ model, hooks: [HOOK] }), env: { HOME: w.home } })
    const [frame] = hookFrames(await engine.fire("call", "before", EVENT))
    expect(frame).toMatchObject({ skipped: "no-model", notes: [`${missing}; no request is sent`] })
    await engine.close()
  })

  it.each(PROVIDERS)("is asked about with the SDK's printed word for old models: %s", async (provider) => {
    const way = { provider, stream: false }
    const { printed } = await w.ask(way, answered({}), { model: { name: "claude-2.1" } })
    expect(printed).toBe("")
  })
})

/** A key that nobody has, in the shape that keys have. */
const PASTED = [
  "sk-proj-abcdefghij0123456789ABCDEFGHIJ",
  "sk_live_abcdefghij0123456789",
  "gsk_abcdefghij0123456789",
  "ghp_abcdefghij0123456789ABCDEFGHIJ012345",
  "github_pat_11ABCDEFG0abcdefghijkl_mnopqrstuvwxyz",
  "hf_abcdefghij0123456789",
  "AKIAABCDEFGH12345678",
  "AIzaSyA0123456789abcdefghijklmnopqrstuv",
  "nvapi_A1b2C3d4E5f6G7h8I9j0K1l2",
  "0123456789abcdef0123456789abcdef",
  "a0123456789abcdef0123456789abcde",
  "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
]

describe("a key in the place of its variable's name", () => {
  const REFUSED = /must be the name of a variable: a key itself is never written down/
  it.each(PASTED)("is refused everywhere, and repeated nowhere: %s", (apiKeyEnv) => {
    const hook = (prompt: object) => ({ hooks: [{ ...HOOK, prompt }] })
    const said = [
      findingsOf({ model: { apiKeyEnv } }),
      findingsOf({ "model.apiKeyEnv": apiKeyEnv }),
      findingsOf(hook({ text: "x", apiKeyEnv })),
      JSON.stringify(readPromptFile(`---\napiKeyEnv: "${apiKeyEnv}"\n---\nx`, "p.md").findings),
      findingsOfSetting("model.apiKeyEnv", apiKeyEnv),
    ]
    for (const text of said) {
      expect(text).toMatch(REFUSED)
      expect(text).not.toContain(apiKeyEnv)
    }
  })

  it.each([
    "OPENAI_API_KEY",
    "MODEL_KEY",
    "my_key",
    "KEY2",
    "_K",
    "OPENAI_API_KEY_STAGING_2024",
    "SK_ANT",
    "AZURE_KEY_1",
  ])("is no finding where it is a name: %s", (apiKeyEnv) => {
    expect(findingsOf({ model: { apiKeyEnv } })).toBe("")
  })
})
