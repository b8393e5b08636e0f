import { describe, expect, it } from "vitest"
import type { Grant, Hook, Layer, Policy } from "../../policy/policy.ts"
import type { GivenSetting } from "../../settings/given.ts"
import { layerPolicies } from "../../settings/layers.ts"
import { NOTHING } from "../../settings/nothing.ts"
import { policyOfSettings } from "../../settings/put.ts"

const hook = (id: string, layer: Layer, more: Partial<Hook> = {}): Hook => ({
  id,
  on: "call",
  phase: "before",
  action: { kind: "rule", rule: { advise: id } },
  effect: "advise",
  floor: "off",
  failure: "open",
  timeoutMs: 5000,
  enabled: true,
  recheck: true,
  redact: false,
  may: { retry: true, tools: [], argv: [], modules: [] },
  origins: [{ layer, source: `${layer}.yaml`, line: 1 }],
  ...more,
})
const layer = (name: Layer, more: Partial<Policy> = {}, trusted = true) => ({
  layer: name,
  trusted,
  policy: { ...NOTHING, ...more },
})
const ids = (...layers: Parameters<typeof layerPolicies>[0][number][]) =>
  layerPolicies(layers).policy.hooks.map((entry) => entry?.id)

describe("a list of hooks over another", () => {
  const low = layer("system", { hooks: [hook("a", "system"), hook("must", "system", { effect: "ask", floor: "ask" })] })
  const b = hook("b", "user")

  it("replaces it, but for hooks with a floor", () => {
    expect(ids(low, layer("user", { hooks: [b] }))).toEqual(["must", "b"])
  })
  it("takes it in where `null` stands", () => {
    expect(ids(low, layer("user", { hooks: [b, null] }))).toEqual(["b", "a", "must"])
    expect(ids(low, layer("user", { hooks: [null, b] }))).toEqual(["a", "must", "b"])
  })
  it("takes it in once, however often `null` stands", () => {
    expect(ids(low, layer("user", { hooks: [null, b, null] }))).toEqual(["a", "must", "b"])
  })
  it("leaves it alone where the layer has no list", () => {
    expect(ids(low, layer("user"))).toEqual(["a", "must"])
  })
  it("takes all but the floors away where the layer wrote an empty list", () => {
    expect(ids(low, layer("user", { noHooks: true }))).toEqual(["must"])
  })
  it("cannot switch a hook with a floor off by restating it", () => {
    const off = hook("must", "user", { enabled: false, effect: "ask" })
    const { hooks } = layerPolicies([low, layer("user", { hooks: [off] })]).policy
    expect(hooks.filter((entry) => entry?.floor === "ask" && entry.enabled)).toHaveLength(1)
  })
  it("has no `null` left at the end", () => {
    expect(ids(layer("user", { hooks: [null, b] }))).toEqual(["b"])
  })
})

describe("autonomy.max and ceilings", () => {
  it("keep what every layer said", () => {
    const at = (name: Layer, value: "ask" | "run") => ({ value, origin: { layer: name } })
    const { policy } = layerPolicies([
      layer("system", { autonomyMax: [at("system", "ask")], ceilings: [{ max: "ask", origin: { layer: "system" } }] }),
      layer("user", { autonomyMax: [at("user", "run")], ceilings: [{ max: "run", origin: { layer: "user" } }] }),
    ])
    expect(policy.autonomyMax.map(({ value }) => value)).toEqual(["ask", "run"])
    expect(policy.ceilings.map(({ max }) => max)).toEqual(["ask", "run"])
  })

  it("a lowered hooks.autonomy is told with both origins", () => {
    const given: GivenSetting[] = [{ path: "hooks.autonomy", values: ["run"], source: "--hooks-autonomy" }]
    const max: GivenSetting[] = [{ path: "autonomy.max", values: ["ask"], source: "env:DETENT_AUTONOMY_MAX" }]
    const { notices } = layerPolicies([
      { layer: "environment", trusted: true, policy: policyOfSettings("environment", max) },
      { layer: "flags", trusted: true, policy: policyOfSettings("flags", given) },
    ])
    expect(notices).toEqual([
      "`hooks.autonomy: run` (--hooks-autonomy) is lowered to `ask` by `autonomy.max` (env:DETENT_AUTONOMY_MAX)",
    ])
  })

  it("so is an autonomy.max that a layer below does not let through, and not one that lowers", () => {
    const said = (name: Layer, value: string) => ({
      layer: name,
      trusted: true,
      policy: policyOfSettings(name, [{ path: "autonomy.max", values: [value], source: name }]),
    })
    const { notices } = layerPolicies([said("system", "propose"), said("environment", "ask"), said("flags", "run")])
    expect(notices).toEqual(["`autonomy.max: run` (flags) is lowered to `ask` by `autonomy.max` (environment)"])
  })
})

describe("scripts, servers and models", () => {
  const line = (value: string, name: Layer) => ({ value, origin: { layer: name } })
  it("lines replace those below, or take them in", () => {
    const below = layer("system", { script: { before: [line("a", "system")], suffix: [line("s", "system")] } })
    const { script } = layerPolicies([
      below,
      layer("user", { script: { before: [null, line("b", "user")], suffix: [line("t", "user")] } }),
    ]).policy
    expect(script.before?.map((entry) => entry?.value)).toEqual(["a", "b"])
    expect(script.suffix?.map((entry) => entry?.value)).toEqual(["t"])
  })
  it("lines from a flag are added", () => {
    const flags = policyOfSettings("flags", [{ path: "script.before", values: ["b", "c"], source: "--before" }])
    const { script } = layerPolicies([
      layer("system", { script: { before: [line("a", "system")] } }),
      { layer: "flags", trusted: true, policy: flags },
    ]).policy
    expect(script.before?.map((entry) => entry?.value)).toEqual(["a", "b", "c"])
  })
  it("a server is replaced whole, a model by its members", () => {
    const { servers, model } = layerPolicies([
      layer("system", {
        servers: { fs: { command: ["x"] }, docs: { url: "http://a" } },
        model: { provider: "openai", name: "m" },
      }),
      layer("user", { servers: { fs: { url: "http://b" } }, model: { name: "n" } }),
    ]).policy
    expect(servers).toEqual({ fs: { url: "http://b" }, docs: { url: "http://a" } })
    expect(model).toEqual({ provider: "openai", name: "n" })
  })
  it("a budget only tightens, and prices add up", () => {
    const { model } = layerPolicies([
      layer("system", {
        model: { budget: { run: { calls: 5 }, day: { cost: 1 } }, prices: { a: { input: 1, output: 1 } } },
      }),
      layer("user", {
        model: {
          budget: { run: { calls: 9, tokens: 100 }, day: { cost: 0.5 } },
          prices: { a: { input: 2, output: 2 }, b: { input: 3, output: 3 } },
        },
      }),
      layer("flags", { model: { name: "m" } }),
    ]).policy
    expect(model).toEqual({
      name: "m",
      budget: { run: { calls: 5, tokens: 100 }, day: { cost: 0.5 } },
      prices: { a: { input: 2, output: 2 }, b: { input: 3, output: 3 } },
    })
  })
  it("a model's key stays with the server that it was named for", () => {
    const below = layer("user", { model: { provider: "openai", name: "m", baseUrl: "http://a", apiKeyEnv: "KEY" } })
    const over = (model: Policy["model"]) => layerPolicies([below, layer("project", { model })]).policy.model
    expect(over({ name: "n" })).toMatchObject({ baseUrl: "http://a", apiKeyEnv: "KEY" })
    expect(over({ baseUrl: "http://b" })).toEqual({ provider: "openai", name: "m", baseUrl: "http://b" })
    expect(over({ provider: "anthropic" })).toEqual({ provider: "anthropic", name: "m" })
  })
})

describe("a layer that nobody trusts", () => {
  const evil = layer(
    "project",
    {
      file: "detent.yaml",
      autonomyMax: [{ value: "off", origin: { layer: "project" } }],
      hooksAutonomy: { value: "off", origin: { layer: "project" } },
      ceilings: [{ max: "off", origin: { layer: "project" } }],
      servers: { fs: { command: ["evil"] } },
      model: { baseUrl: "http://evil" },
      script: { before: [{ value: "evil()", origin: { layer: "project" } }] },
      hooks: [
        hook("rewrite", "project", { effect: "run", floor: "run" }),
        hook("guard", "project", { effect: "ask", failure: "closed" }),
        hook("program", "project", { action: { kind: "run", argv: ["evil"] } }),
        hook("flow", "project", { action: { kind: "workflow", entry: "a", steps: {} } }),
      ],
    },
    false,
  )
  const system = layer("system", { hooks: [hook("a", "system")], servers: { fs: { command: ["good"] } } })
  const { policy, notices } = layerPolicies([system, evil])

  it("adds rules that at most ask, and nothing else", () => {
    expect(policy.hooks.map((entry) => [entry?.id, entry?.effect, entry?.floor])).toEqual([
      ["a", "advise", "off"],
      ["rewrite", "ask", "off"],
      ["guard", "ask", "off"],
    ])
    expect(policy).toMatchObject({
      autonomyMax: [],
      ceilings: [],
      servers: { fs: { command: ["good"] } },
      model: {},
      script: {},
    })
    expect(policy.hooksAutonomy).toBeUndefined()
  })

  it("says what is not in force", () => {
    expect(notices.map((text) => text.replace(/ \(.*/, ""))).toEqual([
      "`detent.yaml` is not trusted, so these hooks are not in force: `program`, `flow`",
      "`detent.yaml` is not trusted, so these hooks may at most ask: `rewrite`",
      "`detent.yaml` is not trusted, so these hooks have no floor: `rewrite`",
      "`detent.yaml` is not trusted, so these settings are not in force: `autonomy.max`, `hooks.autonomy`, `ceilings`, `servers`, `model`, `script.before`",
    ])
  })

  it("cannot empty the list below it", () => {
    expect(ids(system, layer("project", { noHooks: true }, false))).toEqual(["a"])
    expect(ids(system, layer("project", { hooks: [hook("b", "project")] }, false))).toEqual(["a", "b"])
  })
})

describe("the hooks of servers' manifests", () => {
  const grant = (server: string, more: Partial<Grant> = {}): Grant => ({
    server,
    max: "advise",
    origin: { layer: "default" },
    ...more,
  })
  const brought = (id: string, server: string): Hook => ({ ...hook(id, "manifest"), grant: grant(server) })
  const servers = { plug: { command: ["plug"] } }

  it("follow those of all layers, and no list takes their place", () => {
    const below = layer("system", { hooks: [hook("a", "system"), brought("p", "plug")], servers })
    expect(ids(below, layer("project", { hooks: [null, hook("b", "project")] }))).toEqual(["a", "b", "p"])
    expect(ids(below, layer("project", { hooks: [hook("b", "project")] }))).toEqual(["b", "p"])
    expect(ids(below, layer("project", { noHooks: true }))).toEqual(["p"])
    expect(ids(below, layer("project", { hooks: [hook("b", "project")] }, false))).toEqual(["a", "b", "p"])
  })

  it("go with their server where a higher layer declares another of its name", () => {
    const below = layer("system", { hooks: [brought("p", "plug"), brought("q", "other")], servers })
    expect(ids(below, layer("user", { hooks: [brought("r", "plug")], servers }))).toEqual(["q", "r"])
    expect(ids(below, layer("user", { servers }))).toEqual(["q"])
  })

  it("are no others than the policy's own where they are the same, and run once for each grant", () => {
    const same = { action: { kind: "rule", rule: { advise: "x" } } } as const
    const one = (id: string, more: Partial<Hook>) => hook(id, "manifest", { ...same, ...more })
    const all = [
      hook("hooks[0]", "system", same),
      one("hooks[0]", { grant: grant("plug") }),
      one("hooks[1]", { grant: grant("other") }),
    ]
    const kept = (hooks: Hook[]) => layerPolicies([layer("system", { hooks })]).policy.hooks
    expect(kept(all)).toMatchObject([{ id: "hooks[0]", origins: [{}, {}, {}] }])
    expect(kept(all)[0]?.grant).toBeUndefined()
    expect(kept(all.slice(1))).toMatchObject([{ grant: { server: "plug" } }, { grant: { server: "other" } }])
  })
})

describe("the same entry in several places", () => {
  const run = (id: string, name: Layer, more: Partial<Hook> = {}) =>
    hook(id, name, { action: { kind: "run", argv: ["sh", "-c", "echo x >> count.txt"] }, base: `/${name}`, ...more })

  it("runs once, with all its origins", () => {
    const { hooks } = layerPolicies([
      layer("user", { hooks: [run("hooks[0]", "user")] }),
      layer("project", { hooks: [null, run("hooks[3]", "project")] }),
      layer("manifest", { hooks: [null, run("hooks[1]", "manifest")] }),
    ]).policy
    expect(hooks).toHaveLength(1)
    expect(hooks[0]?.origins.map((origin) => origin.layer)).toEqual(["user", "project", "manifest"])
  })

  it("with another effect both stay, and that is said", () => {
    const { policy, notices } = layerPolicies([
      layer("user", { hooks: [run("hooks[0]", "user")] }),
      layer("project", { hooks: [null, run("guard", "project", { effect: "ask" })] }),
    ])
    expect(policy.hooks).toHaveLength(2)
    expect(notices).toEqual([
      "`hooks[0]` (user.yaml:1) and `guard` (project.yaml:1) differ in effect alone, and both run",
    ])
  })

  it.each([
    ["node", "guard.mjs"],
    ["node", "checks/guard.mjs"],
    ["node", "--import", "./x.mjs", "/abs.mjs"],
    ["sh", "-c", "./guard.sh --strict"],
    ["eslint", "."],
  ])("a word that names a relative file names another one in another folder: %s %s", (...argv) => {
    const own = (name: Layer) => run("hooks[0]", name, { action: { kind: "run", argv } })
    expect(
      ids(layer("user", { hooks: [own("user")] }), layer("project", { hooks: [null, own("project")] })),
    ).toHaveLength(2)
  })

  it.each([
    ["git", "status"],
    ["node", "/opt/guard.mjs"],
    ["curl", "https://x.example/a.json"],
    ["tool.sh", "--quiet"],
  ])("one that names none is the same wherever it is written: %s %s", (...argv) => {
    const own = (name: Layer) => run("hooks[0]", name, { action: { kind: "run", argv } })
    expect(
      ids(layer("user", { hooks: [own("user")] }), layer("project", { hooks: [null, own("project")] })),
    ).toHaveLength(1)
  })

  it.each([
    [{ file: "p.md" }, 2],
    [{ file: "/p.md" }, 1],
    [{ text: "x", partials: { p: { file: "p.md" } } }, 2],
    [{ text: "x", partials: { p: "p.md" } }, 1],
    ["x", 1],
  ])("a prompt that is made of relative files is another one in another folder: %j", (prompt, count) => {
    const own = (name: Layer) => run("hooks[0]", name, { action: { kind: "prompt", prompt } })
    expect(
      ids(layer("user", { hooks: [own("user")] }), layer("project", { hooks: [null, own("project")] })),
    ).toHaveLength(count)
  })

  it("a relative program is another program in another folder", () => {
    const local = (name: Layer) => run("hooks[0]", name, { action: { kind: "run", argv: ["./guard.sh"] } })
    expect(
      ids(layer("user", { hooks: [local("user")] }), layer("project", { hooks: [null, local("project")] })),
    ).toHaveLength(2)
  })
})
