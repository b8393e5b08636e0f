import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { aimOf } from "../../actions/prompt/target.ts"
import { overModel } from "../../policy/model.ts"
import { policyOfSettings } from "../../settings/put.ts"
import { answered, WAYS, world } from "./asking.ts"
import { findingsOf, findingsOfSetting } from "./refusing.ts"

const w = world()

describe("what is said of a model in several places", () => {
  const settings = {
    provider: "openai",
    name: "low",
    baseUrl: "http://low/v1",
    apiKeyEnv: "LOW",
    temperature: 1,
  } as const
  const aim = (own: object) => aimOf(settings, own, { LOW: "low-key", HIGH: "high-key" })

  it("counts in the order hook, front matter, policy, each thing for itself", () => {
    expect(aim({})).toMatchObject({ target: { model: "low", temperature: 1, key: "low-key", maxTokens: 1024 } })
    expect(aim({ model: "high", temperature: 0, maxTokens: 5, seed: 7 })).toMatchObject({
      target: { model: "high", temperature: 0, maxTokens: 5, seed: 7, baseUrl: "http://low/v1", key: "low-key" },
    })
  })

  it("takes no key to another server", () => {
    expect(aim({ baseUrl: "http://high/v1" })).toMatchObject({ target: { baseUrl: "http://high/v1", key: "none" } })
    expect(aim({ baseUrl: "http://high/v1", apiKeyEnv: "HIGH" })).toMatchObject({ target: { key: "high-key" } })
    expect(aim({ baseUrl: "http://low/v1" })).toMatchObject({ target: { key: "low-key" } })
  })

  it("takes neither key nor address to another provider", () => {
    expect(aim({ provider: "anthropic" })).toEqual({
      missing: "the variable `ANTHROPIC_API_KEY`, which holds the model's key, is not set",
    })
    expect(aim({ provider: "anthropic", apiKeyEnv: "HIGH" })).toMatchObject({
      target: { baseUrl: "https://api.anthropic.com", key: "high-key" },
    })
    expect(aim({ provider: "openai" })).toMatchObject({ target: { key: "low-key" } })
  })

  it("keeps an address and a key that were said before there was a provider", () => {
    const below = { baseUrl: "http://low", apiKeyEnv: "LOW" }
    expect(overModel(below, { provider: "openai" })).toEqual({ ...below, provider: "openai" })
  })

  it("has no slash at an address's end", () => {
    expect(aim({ baseUrl: "http://high/v1//", apiKeyEnv: "HIGH" })).toMatchObject({
      target: { baseUrl: "http://high/v1" },
    })
  })

  it("is the hook's before the front matter's before the policy's, on the wire", async () => {
    const file = join(w.home, "prompt.md")
    writeFileSync(file, "---\nmodel: front\nmaxTokens: 7\ntemperature: 0.5\nsystem: Front.\n---\nJudge @args")
    const { requests } = await w.ask(WAYS[0]!, answered({}), {
      model: { name: "policy", maxTokens: 9, temperature: 1, seed: 3 },
      hook: { prompt: { file, temperature: 0.25 } },
    })
    expect(requests[0]!.body).toMatchObject({ model: "front", max_tokens: 7, temperature: 0.25, seed: 3 })
    expect(requests[0]!.body.messages[0].content).toMatch(/^Front\./)
  })
})

describe.each(WAYS)("what the request holds ($name)", (way) => {
  it("is what was said and nothing that was not", async () => {
    const { requests } = await w.ask(way, answered({}))
    const { body, path } = requests[0]!
    const common = ["max_tokens", "messages", "model"]
    const own = way.provider === "openai" ? ["response_format"] : ["system", "tool_choice", "tools"]
    const streamed = !way.stream ? [] : way.provider === "openai" ? ["stream", "stream_options"] : ["stream"]
    expect(Object.keys(body).sort()).toEqual([...common, ...own, ...streamed].sort())
    expect(path).toBe(way.provider === "openai" ? "/v1/chat/completions" : "/v1/messages")
  })

  it("has a seed where the provider takes one, and says so where it does not", async () => {
    const { requests, frame } = await w.ask(way, answered({}), { model: { seed: 7, temperature: 0 } })
    expect(requests[0]!.body.temperature).toBe(0)
    expect(requests[0]!.body.seed).toBe(way.provider === "openai" ? 7 : undefined)
    expect(frame.notes).toEqual(way.provider === "openai" ? undefined : ["`seed` has no effect: anthropic takes none"])
  })
})

describe("an address", () => {
  it.each([
    "http://user:secret@host/v1",
    "https://secret@host",
    "https://host/v1?key=secret",
    "https://host/#secret",
    "ftp://secret",
    "secret",
    "http://",
    "http:///secret",
    "http://ho st/secret",
  ])("with credentials, or that is none, is refused and not repeated: %s", (baseUrl) => {
    for (const said of [findingsOf({ model: { baseUrl } }), findingsOfSetting("model.baseUrl", baseUrl)]) {
      expect(said).toMatch(/must (be an http or https URL|not be empty)/)
      expect(said).not.toContain("secret")
    }
  })

  it.each(["http://localhost:11434/v1", "https://api.example.com", "http://[::1]:8080/v1/", "http://127.0.0.1:1/a/b"])(
    "is taken: %s",
    (baseUrl) => {
      expect(findingsOf({ model: { baseUrl } })).toBe("")
      expect(findingsOfSetting("model.baseUrl", baseUrl)).toBe("")
    },
  )
})

describe("a setting of the model outside of files", () => {
  it.each([
    ["model.provider", "opneai", "`model.provider` must be one of openai, anthropic"],
    ["model.temperature", "hot", "`model.temperature` must be a number"],
    ["model.temperature", "3", "`model.temperature` must be at most 2"],
    ["model.temperature", "", "`model.temperature` must be a number"],
    ["model.temperature", "Infinity", "`model.temperature` must be a number"],
    ["model.maxTokens", "1.5", "`model.maxTokens` must be a whole number"],
    ["model.maxTokens", "0", "`model.maxTokens` must be above 0"],
    ["model.seed", "x", "`model.seed` must be a whole number"],
    ["model.stream", "yes", "`model.stream` must be true or false"],
    ["model.cacheMs", "-1", "`model.cacheMs` must not be below 0"],
    ["model.concurrency", "0", "`model.concurrency` must be above 0"],
    ["model.name", " ", "`model.name` must not be empty"],
  ] as const)("that does not fit is told: %s=%j", (path, value, message) => {
    const said = findingsOfSetting(path, value)
    expect(said).toContain(message)
    expect(said).not.toContain("hint")
  })

  it("that is said twice is told", () => {
    expect(() =>
      policyOfSettings("flags", [{ path: "model.name", values: ["a", "b"], source: "--model-name" }]),
    ).toThrow(/`model.name` is said more than once/)
  })

  it("is read into its type", () => {
    const { model } = policyOfSettings("environment", [
      { path: "model.temperature", values: ["0.5"], source: "x" },
      { path: "model.stream", values: ["false"], source: "x" },
      { path: "model.name", values: ["m"], source: "x" },
      { path: "model.cacheMs", values: ["0"], source: "x" },
    ])
    expect(model).toEqual({ temperature: 0.5, stream: false, name: "m", cacheMs: 0 })
  })
})
