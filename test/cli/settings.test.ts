import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { detent, folderWith, lines, policy, rule } from "./capture.ts"

const USER = "home/.config/detent/policy.yaml"
const text = (words: readonly string[], cwd: string, env: Record<string, string> = {}) =>
  detent(["settings", ...words], { cwd, env, tty: false })
const json = async (words: readonly string[], cwd: string, env: Record<string, string> = {}) =>
  JSON.parse((await text([...words, "--format", "json"], cwd, env)).out)

describe("detent settings", () => {
  it("lists every setting with its value, its layer and where it was said", async () => {
    const cwd = folderWith({ [USER]: "version: 1\nhooks.autonomy: apply\n" })
    const listed = await json([], cwd, { DETENT_AUTONOMY_MAX: "ask" })
    expect(listed[0]).toMatchObject({
      path: "autonomy.max",
      value: "ask",
      layer: "environment",
      origin: "env:DETENT_AUTONOMY_MAX",
    })
    expect(listed[1]).toMatchObject({
      path: "hooks.autonomy",
      value: "ask",
      requested: "apply",
      clampedBy: "autonomy.max (env:DETENT_AUTONOMY_MAX)",
      layer: "user",
      origin: `${join(cwd, USER)}:2`,
    })
    expect(listed.find(({ path }: { path: string }) => path === "log.level")).toMatchObject({
      value: "info",
      layer: "default",
      origin: "default",
    })
  })

  it("knows where each entry of a list is from", async () => {
    const cwd = folderWith({
      [USER]: "version: 1\nscript.prefix: [\"'a'\"]\n",
      "p.json": policy([rule("no", { refuse: "no" })], { "script.prefix": [null, "'b'"] }),
    })
    const flags = ["--policy", "p.json"]
    expect((await json(["get", "script.prefix", ...flags], cwd)).entries).toEqual([
      { value: "'a'", layer: "user", origin: `${join(cwd, USER)}:2` },
      { value: "'b'", layer: "project", origin: "p.json:1" },
    ])
    expect((await json(["get", "hooks", ...flags], cwd)).entries).toMatchObject([
      { value: { id: "no" }, origin: "p.json:1" },
    ])
  })

  it("shows of a server's headers the variable, and never what may be a key", async () => {
    const headers = { Authorization: "env:DOCS_TOKEN", "X-Key": "sk-very-secret" }
    const servers = {
      docs: { url: "http://me:sk-very-secret@127.0.0.1:1/mcp?key=sk-very-secret", headers },
      local: { command: ["serves", "--key", "sk-very-secret"], env: { KEY: "sk-very-secret" } },
    }
    const cwd = folderWith({ "p.json": policy([], { servers }) })
    const { out } = await text(["explain", "servers", "--policy", "p.json"], cwd)
    expect(out).toContain("env:DOCS_TOKEN")
    expect(out).toContain("127.0.0.1:1/mcp?(withheld)")
    expect(out).toContain('["serves","(withheld)"]')
    expect(out).not.toContain("sk-very-secret")
  })

  it("names the nearest setting", async () => {
    expect((await text(["get", "hook.autonomy"], folderWith())).err).toContain("did you mean `hooks.autonomy`?")
  })
})

describe("detent settings explain", () => {
  it("shows what every layer says, which of them counts, and why", async () => {
    const cwd = folderWith({
      [USER]: "version: 1\nautonomy.max: propose\nlog.level: warn\n",
      "detent.yaml": "version: 1\nlog.level: debug\n",
    })
    const env = { DETENT_AUTONOMY_MAX: "ask", DETENT_LOG_LEVEL: "error" }
    const { contributions, combines } = await json(["explain", "log.level"], cwd, env)
    expect(contributions).toMatchObject([
      { layer: "user", value: "warn", state: "overridden", by: "env:DETENT_LOG_LEVEL" },
      { layer: "project", value: "debug", state: "not trusted" },
      { layer: "environment", value: "error", state: "in force" },
    ])
    expect(combines).toBe("the highest layer that says something counts")
    const page = (
      await detent(["settings", "explain", "autonomy.max", "--autonomy-max", "run"], {
        cwd,
        env,
        tty: true,
        columns: 200,
      })
    ).out
    expect(page).toContain("lowered from run by autonomy.max (env:DETENT_AUTONOMY_MAX)")
    expect(page).toContain("overridden by autonomy.max (env:DETENT_AUTONOMY_MAX)")
  })

  it("says of a list which layer takes the place of which, and what an untrusted one adds", async () => {
    const cwd = folderWith({
      [USER]: policy([rule("mine", { advise: "x" }, { effect: "advise" })]),
      "detent.json": policy([
        rule("found", { refuse: "no" }, { effect: "ask" }),
        { id: "runs", on: "call", phase: "before", run: ["true"] },
      ]),
    })
    expect((await json(["explain", "hooks"], cwd)).contributions).toMatchObject([
      { layer: "user", state: "in force" },
      { layer: "project", state: "in part", by: "`detent trust` records its content" },
    ])
    const named = await json(["explain", "hooks", "--policy", "detent.json"], cwd)
    expect(named.contributions).toMatchObject([
      { layer: "user", state: "overridden", by: "detent.json" },
      { layer: "project", state: "in force" },
    ])
  })

  it("tells that an address stays behind where a higher layer names another provider", async () => {
    const cwd = folderWith({ [USER]: "version: 1\nmodel: { provider: openai, baseUrl: http://127.0.0.1:1 }\n" })
    const { value, contributions } = await json(["explain", "model.baseUrl"], cwd, {
      DETENT_MODEL_PROVIDER: "anthropic",
    })
    expect(value).toBeUndefined()
    expect(contributions).toMatchObject([{ layer: "user", state: "left behind" }])
  })
})

describe("detent settings set", () => {
  const COMMENTED =
    "# who may do what\nversion: 1 # the only one\n\nhooks.autonomy: run # for now\nmodel:\n  name: small # cheap\n"

  it("writes to the user's own file, keeps its comments, and shows what changed", async () => {
    const cwd = folderWith({ [USER]: COMMENTED })
    const ran = await detent(["settings", "set", "hooks.autonomy", "ask", "--format", "text"], { cwd })
    expect(ran.out).toBe(`hooks.autonomy: run → ask in ${join(cwd, USER)}\n`)
    await text(["set", "model.name", "large"], cwd)
    await text(["set", "serve.origins", "https://a.example", "null"], cwd)
    expect(readFileSync(join(cwd, USER), "utf8")).toBe(
      `${COMMENTED.replace("autonomy: run", "autonomy: ask").replace("small", "large")}serve.origins: [ https://a.example, null ]\n`,
    )
  })

  it("makes the file where there is none, in a folder that is the user's alone", async () => {
    const cwd = folderWith()
    expect(await text(["set", "elicit.confirmDestructive", "true"], cwd)).toMatchObject({ code: 0 })
    expect(readFileSync(join(cwd, USER), "utf8")).toBe("version: 1\nelicit.confirmDestructive: true\n")
    expect(statSync(join(cwd, "home/.config/detent")).mode & 0o777).toBe(0o700)
  })

  it("keeps a link a link, and a file's mode", async () => {
    const cwd = folderWith({ "dotfiles/policy.yaml": "version: 1\n" })
    chmodSync(join(cwd, "dotfiles/policy.yaml"), 0o640)
    mkdirSync(join(cwd, "home/.config/detent"), { recursive: true })
    symlinkSync(join(cwd, "dotfiles/policy.yaml"), join(cwd, USER))
    await text(["set", "log.level", "warn"], cwd)
    expect(readFileSync(join(cwd, "dotfiles/policy.yaml"), "utf8")).toContain("log.level: warn")
    expect(statSync(join(cwd, "dotfiles/policy.yaml")).mode & 0o777).toBe(0o640)
  })

  it("says what is in force where the change is not", async () => {
    const cwd = folderWith()
    const env = { DETENT_AUTONOMY_MAX: "advise" }
    const words = ["settings", "set", "hooks.autonomy", "run", "--format", "text"]
    expect((await detent(words, { cwd, env })).out).toContain("in force here is advise")
  })

  it("writes to the project's file, whose trust stays with it", async () => {
    const cwd = folderWith({ "detent.json": policy([]) })
    await detent(["trust"], { cwd })
    expect(await text(["set", "log.level", "debug", "--project"], cwd)).toMatchObject({ code: 0, err: "" })
    expect(await json(["get", "log.level"], cwd)).toMatchObject({ value: "debug", layer: "project" })
    writeFileSync(join(cwd, "detent.json"), policy([], { "log.level": "warn" }))
    expect((await text(["set", "log.level", "error", "--project"], cwd)).err).toContain("is not trusted")
    expect(await json(["get", "log.level"], cwd)).toMatchObject({ value: "info" })
  })

  it.each([
    [["hooks", "[]"], "`hooks` is written in a policy file itself"],
    [["autonomy.max", "aks"], "did you mean `ask`?"],
    [["log.level", "loud"], "`log.level` must be one of debug, info, warn, error"],
    [["serve.port", "x"], "`serve.port` must be a port"],
    [["log.level", "warn", "info"], "`log.level` takes one value"],
    [["model.apiKeyEnv", "sk-abcdefabcdef123456"], "a key itself is never written down"],
    [["nothing", "x"], "unknown setting `nothing`"],
  ])("refuses %j and changes nothing", async (words, said) => {
    const cwd = folderWith({ [USER]: COMMENTED })
    const ran = await text(["set", ...words], cwd)
    expect(ran.code).toBe(1)
    expect(ran.err).toContain(said)
    expect(readFileSync(join(cwd, USER), "utf8")).toBe(COMMENTED)
  })

  it("does not touch a file that is bad already", async () => {
    const cwd = folderWith({ [USER]: "version: 1\nhoks: []\n" })
    expect((await text(["set", "log.level", "warn"], cwd)).err).toContain("unknown key `hoks`")
    expect(readFileSync(join(cwd, USER), "utf8")).toBe("version: 1\nhoks: []\n")
  })
})

it("every kind of line that `settings` prints into a pipe is JSON", async () => {
  const cwd = folderWith()
  expect(lines((await text([], cwd)).out).length).toBeGreaterThan(20)
  expect(lines((await text(["explain", "hooks"], cwd)).out)).toMatchObject([{ path: "hooks" }])
})
