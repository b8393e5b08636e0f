import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { homedir, tmpdir } from "node:os"
import { dirname, isAbsolute, join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { PolicyError, showFinding } from "../../policy/findings.ts"
import { fingerprint } from "../../settings/fingerprint.ts"
import { ownFolder } from "../../settings/folders.ts"
import { type LoadOptions, loadPolicy } from "../../settings/load.ts"
import { trust } from "../../settings/trust.ts"

let home: string
let env: Record<string, string>
let project: string

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "detent-load-"))
  project = join(home, "work", "project")
  mkdirSync(project, { recursive: true })
  env = { HOME: home }
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const write = (path: string, text: string | Uint8Array) => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}
const load = (more: Partial<LoadOptions> = {}) =>
  loadPolicy({ cwd: project, env, systemFile: join(home, "etc", "policy.yaml"), cache: false, ...more })
const findings = async (more: Partial<LoadOptions> = {}): Promise<string[]> => {
  const cause: unknown = await load(more).then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(cause).toBeInstanceOf(PolicyError)
  return (cause as PolicyError).findings.map((finding) => showFinding(finding).replaceAll(home, "~"))
}
const rule = (id: string, more = "") => `{ id: ${id}, on: call, phase: before, rule: { advise: ${id} } ${more} }`
const hooks = (...list: string[]) => `hooks: [${list.join(", ")}]\n`
const ids = async (more: Partial<LoadOptions> = {}) => (await load(more)).policy.hooks.map((hook) => hook?.id)

describe("the layers", () => {
  it("are none at first", async () => {
    expect(await load()).toMatchObject({ policy: { hooks: [], autonomyMax: [] }, notices: [] })
  })

  it("go from the system over the user to the project, environment and flags", async () => {
    write(join(home, "etc", "policy.yaml"), `autonomy.max: apply\n${hooks(rule("system"))}`)
    write(join(home, ".config", "detent", "policy.yaml"), `hooks.autonomy: propose\n${hooks("null", rule("user"))}`)
    const file = write(join(home, "work", "detent.yaml"), hooks("null", rule("project")))
    trust(file, readFileSync(file), env)
    env.DETENT_AUTONOMY_MAX = "propose"
    env.DETENT_SCRIPT_ON_SUCCESS = "log.info(1)"
    const { policy, notices } = await load({
      flags: { "hooks.autonomy": "ask", "script.before": ["a", "b"] },
    })
    expect(policy.hooks.map((hook) => [hook?.id, hook?.origins[0]?.layer])).toEqual([
      ["system", "system"],
      ["user", "user"],
      ["project", "project"],
    ])
    expect(
      policy.autonomyMax.map(({ value, origin }) => [value, origin.layer, origin.source?.replace(home, "~")]),
    ).toEqual([
      ["apply", "system", "~/etc/policy.yaml"],
      ["propose", "environment", "env:DETENT_AUTONOMY_MAX"],
    ])
    expect(policy.hooksAutonomy).toEqual({ value: "ask", origin: { layer: "flags", source: "--hooks-autonomy" } })
    expect(policy.script.onSuccess?.map((line) => line?.value)).toEqual(["log.info(1)"])
    expect(policy.script.before?.map((line) => line?.value)).toEqual(["a", "b"])
    expect(notices).toEqual([])
  })

  it("XDG_CONFIG_HOME names the user's folder", async () => {
    env.XDG_CONFIG_HOME = join(home, "elsewhere")
    write(join(home, "elsewhere", "detent", "policy.yaml"), hooks(rule("user")))
    expect(await ids()).toEqual(["user"])
  })

  it("the nearest project file upward counts, JSON too", async () => {
    write(join(home, "work", "detent.yaml"), hooks(rule("far")))
    write(join(project, "detent.json"), '{"hooks":[{"id":"near","on":"call","phase":"before","rule":{"advise":"x"}}]}')
    expect(await ids()).toEqual(["near"])
  })

  it("two project files in one folder are an error", async () => {
    write(join(project, "detent.yaml"), "version: 1")
    write(join(project, "detent.json"), "{}")
    expect(await findings()).toEqual([
      "~/work/project/detent.json: error: `~/work/project/detent.yaml` and `~/work/project/detent.json` are both there (keep one of them)",
    ])
  })

  it("a named policy stands in for the project's and is trusted", async () => {
    write(join(project, "detent.yaml"), hooks(rule("project")))
    write(join(project, "other.yaml"), hooks("{ id: named, on: call, phase: before, run: [x], effect: run }"))
    const { policy, notices } = await load({ policy: "other.yaml" })
    expect(policy.hooks).toMatchObject([
      { id: "named", effect: "run", base: project, origins: [{ source: "other.yaml" }] },
    ])
    expect(notices).toEqual([])
  })
})

describe("a project file that was only found", () => {
  const text = hooks(rule("quiet"), "{ id: program, on: call, phase: before, run: [x] }")

  it("is cut down until its content is trusted, and again when it changes", async () => {
    const file = write(join(project, "detent.yaml"), text)
    expect(await ids()).toEqual(["quiet"])
    expect((await load()).notices[0]).toMatch(/not trusted, so these hooks are not in force: `program`/)
    trust(file, text, env)
    expect(await ids()).toEqual(["quiet", "program"])
    writeFileSync(file, `${text}# changed\n`)
    expect(await ids()).toEqual(["quiet"])
  })

  it("loses its floor without being an error", async () => {
    write(
      join(project, "detent.yaml"),
      hooks("{ id: f, on: call, phase: before, rule: { refuse: x }, effect: ask, floor: ask }"),
    )
    const { policy, notices } = await load()
    expect(policy.hooks[0]).toMatchObject({ id: "f", effect: "ask", floor: "off" })
    expect(notices).toHaveLength(1)
  })
})

describe("an error stops the load, whatever layer it is in", () => {
  it("all sources are told at once", async () => {
    write(join(home, "etc", "policy.yaml"), "hook: []\n")
    write(join(project, "detent.yaml"), "hooks: [3]\n")
    expect(await findings({ flags: { "autonomy.max": "aply" } })).toEqual([
      "~/etc/policy.yaml:1:1: error: unknown key `hook` (did you mean `hooks`?)",
      "~/work/project/detent.yaml:1:9: error: `hooks[0]` must be an object, one hook, not a number",
      "--autonomy-max: error: unknown level `aply` for `autonomy.max` (did you mean `apply`?)",
    ])
  })

  it("a named policy that is not there", async () => {
    expect(await findings({ policy: "nope.yaml" })).toEqual(["nope.yaml: error: the policy `nope.yaml` is not there"])
  })

  it("a policy that cannot be read", async () => {
    mkdirSync(join(home, ".config", "detent", "policy.yaml"), { recursive: true })
    expect(await findings()).toEqual([
      "~/.config/detent/policy.yaml: error: the policy `~/.config/detent/policy.yaml` cannot be read (EISDIR)",
    ])
  })

  it("bytes that are no UTF-8", async () => {
    write(join(project, "p.yaml"), Uint8Array.of(0x61, 0xff))
    expect(await findings({ policy: "p.yaml" })).toEqual(["p.yaml: error: the policy is not UTF-8"])
  })

  it("a file of only a mark", async () => {
    write(join(project, "p.yaml"), Uint8Array.of(0xef, 0xbb, 0xbf))
    expect((await findings({ policy: "p.yaml" }))[0]).toMatch(/^p\.yaml: error: the policy is empty/)
  })

  it("a flag that is no setting, or only stands in a file", async () => {
    expect(await findings({ flags: { "autonomy.mx": "ask", hooks: "[]" } })).toEqual([
      "--autonomy-mx: error: unknown setting `autonomy.mx` (did you mean `autonomy.max`?)",
      "--hooks: error: `hooks` can only stand in a policy file",
    ])
  })

  it("a variable with a wrong level", async () => {
    env.DETENT_HOOKS_AUTONOMY = "everything"
    expect((await findings())[0]).toMatch(/^env:DETENT_HOOKS_AUTONOMY: error: unknown level `everything`/)
  })
})

it("a variable that nobody reads is told, mistyped or not", async () => {
  Object.assign(env, { DETENT_AUTONOMY_MX: "ask", DETENT_POLICY: "p.yaml", DETENT_DEBUG: "1", DETENT_HOOK_RUN: "x" })
  expect((await load()).notices).toEqual([
    "`DETENT_AUTONOMY_MX` is no setting and is not used; did you mean `DETENT_AUTONOMY_MAX`?",
    "`DETENT_POLICY` is no setting and is not used",
  ])
})

it("a relative HOME counts as absent, so that no folder that one stands in is the user's", () => {
  const folder = ownFolder("config", { HOME: "home" })
  expect(isAbsolute(folder)).toBe(true)
  expect(folder).toBe(ownFolder("config", { HOME: homedir() }))
})

describe("the cache", () => {
  const folder = () => join(home, ".cache", "detent")
  const entries = () => readdirSync(folder()).filter((name) => name.endsWith(".json"))
  const cached = (more: Partial<LoadOptions> = {}) => load({ cache: true, policy: "p.yaml", ...more })
  /** Puts a mark into the one entry, with a right checksum: whoever shows it has read the cache. */
  const mark = () => {
    const path = join(folder(), entries()[0]!)
    const body = readFileSync(path, "utf8").split("\n")[1]!.replaceAll('"first"', '"from-cache"')
    writeFileSync(path, `${fingerprint(body)}\n${body}`, { mode: 0o600 })
  }
  const firstId = async (more: Partial<LoadOptions> = {}) => (await cached(more)).policy.hooks[0]?.id

  beforeEach(() => {
    write(join(project, "p.yaml"), hooks("{ id: first, on: call, phase: before, rule: { refuse: x } }"))
  })

  it("answers the same, warnings included, from a private folder", async () => {
    const fresh = await load({ policy: "p.yaml" })
    const first = await cached()
    expect(statSync(folder()).mode & 0o777).toBe(0o700)
    expect(statSync(join(folder(), entries()[0]!)).mode & 0o777).toBe(0o600)
    const second = await cached()
    expect(first).toEqual(fresh)
    expect(second).toEqual(fresh)
    expect(second.policy.warnings).toHaveLength(1)
  })

  it("is found again, until a file, a variable or a flag differs", async () => {
    await cached()
    mark()
    expect(await firstId()).toBe("from-cache")
    expect(await firstId({ flags: { "autonomy.max": "ask" } })).toBe("first")
    expect(await firstId({ env: { ...env, DETENT_AUTONOMY_MAX: "ask" } })).toBe("first")
    expect(await firstId({ env: { ...env, OTHER: "x" } })).toBe("from-cache")
    write(join(project, "p.yaml"), `${readFileSync(join(project, "p.yaml"), "utf8")}# more\n`)
    expect(await firstId()).toBe("first")
  })

  it("does not confuse a trusted file with one that is not", async () => {
    const text = hooks("{ id: program, on: call, phase: before, run: [x] }")
    const file = write(join(project, "detent.yaml"), text)
    const found = () => loadPolicy({ cwd: project, env, systemFile: join(home, "none"), cache: true })
    expect((await found()).policy.hooks).toHaveLength(0)
    trust(file, text, env)
    expect((await found()).policy.hooks).toHaveLength(1)
  })

  it.each([
    ["cut off", (text: string) => text.slice(0, -20)],
    ["changed", (text: string) => text.replaceAll('"first"', '"other"')],
    ["empty", () => ""],
    ["no JSON", () => "x\ny"],
  ])("an entry that is %s is ignored and written anew", async (_, damage) => {
    await cached()
    const path = join(folder(), entries()[0]!)
    const whole = readFileSync(path, "utf8")
    writeFileSync(path, damage(whole))
    expect(await firstId()).toBe("first")
    expect(readFileSync(path, "utf8")).toBe(whole)
  })

  it("is not read or written in a folder that others can enter", async () => {
    await cached()
    mark()
    chmodSync(folder(), 0o755)
    expect(await firstId()).toBe("first")
    rmSync(join(folder(), entries()[0]!))
    expect(await firstId()).toBe("first")
    expect(entries()).toEqual([])
  })

  it("is not read through a link to another folder", async () => {
    await cached()
    mark()
    const moved = join(home, "moved")
    const { renameSync } = await import("node:fs")
    renameSync(folder(), moved)
    symlinkSync(moved, folder())
    expect(await firstId()).toBe("first")
  })

  it("does not read an entry that others can write", async () => {
    await cached()
    mark()
    chmodSync(join(folder(), entries()[0]!), 0o666)
    expect(await firstId()).toBe("first")
  })

  it("keeps no errors", async () => {
    write(join(project, "p.yaml"), "hooks: [3]\n")
    await expect(cached()).rejects.toBeInstanceOf(PolicyError)
    expect(existsSync(folder())).toBe(false)
  })
})
